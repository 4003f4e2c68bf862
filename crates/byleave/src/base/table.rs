//! Declares an enum as a table: one row for each variant, one value for each column.
//!
//! A variant and its name, rule or severity are then in one place. The methods that return a column are written by hand,
//! because each has its own documentation.

/// Declares an enum with a method `row`. If no variant has a payload, the enum also has the constant `ALL`.
///
/// ```text
/// table! {
///     /// How severe a diagnostic is.
///     #[derive(Clone, Copy)]
///     pub enum Severity: (&'static str) {
///         /// It works but could be clearer.
///         Advice = "advice";
///     }
/// }
/// ```
macro_rules! table {
    ($(#[$attribute:meta])* pub enum $table:ident: ($($column:ty),+) {
        $($(#[doc = $about:literal])* $(#[cfg($when:meta)])? $variant:ident = $($value:expr),+;)+
    }) => {
        $(#[$attribute])*
        pub enum $table { $($(#[doc = $about])* $(#[cfg($when)])? $variant,)+ }

        impl $table {
            /// All rows of the table, in order.
            pub const ALL: &'static [Self] = &[$($(#[cfg($when)])? Self::$variant,)+];

            const fn row(self) -> ($($column,)+) {
                match self { $($(#[cfg($when)])? Self::$variant => ($($value,)+),)+ }
            }
        }
    };
    ($(#[$attribute:meta])* pub enum $table:ident: ($($column:ty),+) {
        $($(#[doc = $about:literal])* $variant:ident $(($payload:ty))? = $($value:expr),+;)+
    }) => {
        $(#[$attribute])*
        pub enum $table { $($(#[doc = $about])* $variant $(($payload))?,)+ }

        impl $table {
            const fn row(self) -> ($($column,)+) {
                match self { $(Self::$variant { .. } => ($($value,)+),)+ }
            }
        }
    };
}

pub(crate) use table;
