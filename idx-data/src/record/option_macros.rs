//! The macros that define the types of options.

/// Defines a type of options with private fields, and a setter for each except those `by hand`, whose setters take
/// other types.
macro_rules! options {
    (
        $(#[$doc:meta])*
        pub struct $name:ident {
            $($(#[$field_doc:meta])* $field:ident: $type:ty as $given:ty = $default:expr,)*
        }
        $(by hand {
            $($own:ident: $own_type:ty,)*
        })?
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $(pub(crate) $field: $type,)*
            $($(pub(crate) $own: $own_type,)*)?
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default,)* $($($own: Default::default(),)*)? }
            }
        }

        impl $name {
            /// Returns the defaults.
            #[must_use]
            pub fn new() -> Self {
                Self::default()
            }

            $(
                $(#[$field_doc])*
                #[must_use]
                pub fn $field(mut self, $field: $given) -> Self {
                    self.$field = $field.into();
                    self
                }
            )*
        }
    };
}

/// Returns the names of the fields in which an options value differs from the defaults.
macro_rules! given {
    ($options:expr, $default:expr, [$($field:ident),*]) => {
        [$((stringify!($field), $options.$field != $default.$field)),*]
            .into_iter()
            .filter_map(|(name, is_given)| is_given.then_some(name))
    };
}
