//! A document's bytes: borrowed from the caller, or owned and shared.

use std::borrow::Cow;
use std::ops::Deref;
use std::sync::Arc;

/// A document's bytes, borrowed or shared. Cloning never copies the bytes.
///
/// ```
/// use byleave::SharedBytes;
/// let borrowed = SharedBytes::from(&b"User-agent: *"[..]);
/// let owned: SharedBytes<'static> = SharedBytes::from(b"User-agent: *".to_vec());
/// assert_eq!(borrowed, owned);
/// ```
#[derive(Clone)]
pub enum SharedBytes<'b> {
    /// The caller owns the bytes.
    Borrowed(&'b [u8]),
    /// The bytes are reference-counted.
    Shared(Arc<[u8]>),
}

impl SharedBytes<'_> {
    /// Returns the same bytes with a `'static` lifetime. Copies them if they are borrowed.
    ///
    /// ```
    /// use byleave::SharedBytes;
    /// fn fetch() -> SharedBytes<'static> {
    ///     let body = b"User-agent: *\nDisallow: /cart\n".to_vec();
    ///     SharedBytes::from(&body[..]).into_owned()
    /// }
    /// assert_eq!(&*fetch(), b"User-agent: *\nDisallow: /cart\n");
    /// ```
    #[must_use]
    pub fn into_owned(self) -> SharedBytes<'static> {
        match self {
            Self::Borrowed(bytes) => SharedBytes::Shared(bytes.into()),
            Self::Shared(bytes) => SharedBytes::Shared(bytes),
        }
    }

    /// Returns the number of bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        match self {
            Self::Borrowed(_) => 0,
            Self::Shared(bytes) => bytes.len(),
        }
    }
}

impl Deref for SharedBytes<'_> {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match self {
            Self::Borrowed(bytes) => bytes,
            Self::Shared(bytes) => bytes,
        }
    }
}

impl Default for SharedBytes<'_> {
    fn default() -> Self {
        Self::Borrowed(&[])
    }
}

impl std::fmt::Debug for SharedBytes<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        (**self).fmt(f)
    }
}

impl PartialEq for SharedBytes<'_> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for SharedBytes<'_> {}

impl AsRef<[u8]> for SharedBytes<'_> {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl<'b> From<&'b [u8]> for SharedBytes<'b> {
    fn from(bytes: &'b [u8]) -> Self {
        Self::Borrowed(bytes)
    }
}

impl<'b, const N: usize> From<&'b [u8; N]> for SharedBytes<'b> {
    fn from(bytes: &'b [u8; N]) -> Self {
        Self::Borrowed(bytes)
    }
}

impl<'b> From<&'b Vec<u8>> for SharedBytes<'b> {
    fn from(bytes: &'b Vec<u8>) -> Self {
        Self::Borrowed(bytes)
    }
}

impl<'b> From<&'b str> for SharedBytes<'b> {
    fn from(text: &'b str) -> Self {
        Self::Borrowed(text.as_bytes())
    }
}

impl From<Vec<u8>> for SharedBytes<'_> {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Shared(bytes.into())
    }
}

impl From<Arc<[u8]>> for SharedBytes<'_> {
    fn from(bytes: Arc<[u8]>) -> Self {
        Self::Shared(bytes)
    }
}

impl<'b> From<Cow<'b, [u8]>> for SharedBytes<'b> {
    fn from(bytes: Cow<'b, [u8]>) -> Self {
        match bytes {
            Cow::Borrowed(bytes) => Self::Borrowed(bytes),
            Cow::Owned(bytes) => bytes.into(),
        }
    }
}
