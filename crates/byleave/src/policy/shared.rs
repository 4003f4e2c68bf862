//! A policy as a site stores it: borrowed from the caller, or shared.

use super::Policy;
use std::ops::Deref;
use std::sync::Arc;

/// A policy that a site borrows or shares. Cloning it never copies the policy.
///
/// ```
/// use byleave::{Policy, Site};
/// use std::sync::Arc;
/// let policy = Policy::parse(b"User-agent: *\nDisallow: /private/\n");
/// let borrowing = Site::of_policy(&policy);
/// let sharing: Site<'static> = Site::of_policy(Arc::new(policy.clone().into_owned()));
/// # let _ = (borrowing, sharing);
/// ```
#[derive(Clone, Debug)]
pub enum SharedPolicy<'p> {
    /// The caller owns the policy.
    Borrowed(&'p Policy<'p>),
    /// The policy is reference-counted.
    Shared(Arc<Policy<'p>>),
}

impl<'p> Deref for SharedPolicy<'p> {
    type Target = Policy<'p>;

    #[inline]
    fn deref(&self) -> &Policy<'p> {
        match self {
            Self::Borrowed(policy) => policy,
            Self::Shared(policy) => policy,
        }
    }
}

impl<'p> From<&'p Policy<'p>> for SharedPolicy<'p> {
    fn from(policy: &'p Policy<'p>) -> Self {
        Self::Borrowed(policy)
    }
}

impl<'p> From<Policy<'p>> for SharedPolicy<'p> {
    fn from(policy: Policy<'p>) -> Self {
        Self::Shared(Arc::new(policy))
    }
}

impl<'p> From<Arc<Policy<'p>>> for SharedPolicy<'p> {
    fn from(policy: Arc<Policy<'p>>) -> Self {
        Self::Shared(policy)
    }
}
