//! A policy as a site holds it: borrowed from the caller, or shared.

use super::Policy;
use std::ops::Deref;
use std::sync::Arc;

/// A policy that a site borrows or shares. A clone never copies the policy.
#[derive(Clone, Debug)]
pub enum SharedPolicy<'p> {
    /// The caller keeps it.
    Borrowed(&'p Policy<'p>),
    /// It is kept as long as anybody needs it.
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
