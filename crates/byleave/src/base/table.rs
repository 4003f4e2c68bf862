//! Declares an enum as a table: one row for each variant, one value for each column.
//!
//! A variant's name, rule and other properties are then all in one place.

/// Declares an enum and one method for each column. If no variant has a payload, the enum also has the constant `ALL`.
///
/// ```text
/// table! {
///     /// How severe a diagnostic is.
///     #[derive(Clone, Copy)]
///     pub enum Severity {
///         /// It works but could be clearer.
///         Advice = "advice";
///     }
///
///     /// Returns the name of the severity.
///     pub fn name: &'static str;
/// }
/// ```
macro_rules! table {
    ($(#[$attribute:meta])* pub enum $table:ident {
        $($(#[doc = $about:literal])* $(#[cfg($when:meta)])? $variant:ident = $($value:expr),+;)+
    } $($columns:tt)+) => {
        $(#[$attribute])*
        pub enum $table { $($(#[doc = $about])* $(#[cfg($when)])? $variant,)+ }

        impl $table {
            /// All rows of the table, in order.
            pub const ALL: &'static [Self] = &[$($(#[cfg($when)])? Self::$variant,)+];

            table! { @columns [$($columns)+] $([$(#[cfg($when)])?] $variant: $($value),+;)+ }
        }
    };
    ($(#[$attribute:meta])* pub enum $table:ident {
        $($(#[doc = $about:literal])* $variant:ident $(($payload:ty))? = $($value:expr),+;)+
    } $($columns:tt)+) => {
        $(#[$attribute])*
        pub enum $table { $($(#[doc = $about])* $variant $(($payload))?,)+ }

        impl $table {
            table! { @columns [$($columns)+] $([] $variant: $($value),+;)+ }
        }
    };
    // Declares the method for the first column, then removes that column from every row.
    (@columns [$(#[$about:meta])* $visibility:vis fn $column:ident: $result:ty; $($columns:tt)*]
        $([$($when:tt)*] $variant:ident: $first:expr $(, $value:expr)*;)+
    ) => {
        $(#[$about])*
        #[must_use]
        $visibility fn $column(self) -> $result {
            match self { $($($when)* Self::$variant { .. } => $first,)+ }
        }

        table! { @columns [$($columns)*] $([$($when)*] $variant: $($value),*;)+ }
    };
    (@columns [] $($rows:tt)*) => {};
}

pub(crate) use table;
