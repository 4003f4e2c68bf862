//! Conversions between [`Timestamp`] and the standard library's `SystemTime`. No clock is read.

use super::timestamp::Timestamp;
use core::time::Duration;
use std::fmt;
use std::time::SystemTime;

/// ```
/// use byleave::Timestamp;
/// use std::time::{Duration, SystemTime};
/// let fetched = SystemTime::UNIX_EPOCH + Duration::from_millis(1_500);
/// assert_eq!(Timestamp::from(fetched).to_string(), "1970-01-01T00:00:01Z");
/// ```
impl From<SystemTime> for Timestamp {
    /// Returns the second that contains the time. A time that is out of range becomes the nearest timestamp.
    fn from(time: SystemTime) -> Self {
        Self::from_unix(match time.duration_since(SystemTime::UNIX_EPOCH) {
            Ok(after) => 0i64.saturating_add_unsigned(after.as_secs()),
            Err(error) => {
                let before = error.duration();
                // A time before 1970 with a fraction of a second is rounded down to the earlier second.
                let fraction = u64::from(before.subsec_nanos() > 0);
                0i64.saturating_sub_unsigned(before.as_secs().saturating_add(fraction))
            }
        })
    }
}

/// ```
/// use byleave::Timestamp;
/// use std::time::{Duration, SystemTime};
/// let until = SystemTime::try_from("1970-01-01T00:01:00Z".parse::<Timestamp>()?)?;
/// assert_eq!(until, SystemTime::UNIX_EPOCH + Duration::from_secs(60));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl TryFrom<Timestamp> for SystemTime {
    type Error = TimestampRangeError;

    fn try_from(timestamp: Timestamp) -> Result<Self, TimestampRangeError> {
        let distance = Duration::from_secs(timestamp.unix().unsigned_abs());
        let time = match timestamp.unix() {
            0.. => Self::UNIX_EPOCH.checked_add(distance),
            _ => Self::UNIX_EPOCH.checked_sub(distance),
        };
        time.ok_or(TimestampRangeError)
    }
}

/// The error for a timestamp that `SystemTime` cannot represent. The supported range depends on the platform.
///
/// ```
/// use byleave::Timestamp;
/// use std::time::SystemTime;
/// assert!(SystemTime::try_from(Timestamp::from_unix(0)).is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimestampRangeError;

impl fmt::Display for TimestampRangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`SystemTime` cannot represent this timestamp")
    }
}

impl std::error::Error for TimestampRangeError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn system_times_are_rounded_down_to_seconds() {
        let at = |milliseconds: i64| {
            let distance = Duration::from_millis(milliseconds.unsigned_abs());
            let epoch = SystemTime::UNIX_EPOCH;
            Timestamp::from(if milliseconds < 0 { epoch - distance } else { epoch + distance }).unix()
        };
        for milliseconds in [0, 1, 999, 1_000, 1_001, -1, -999, -1_000, -1_001] {
            assert_eq!(at(milliseconds), milliseconds.div_euclid(1_000), "{milliseconds}");
        }
    }

    #[test]
    fn timestamps_survive_the_way_through_system_time() {
        for seconds in [0, 1, -1, 1_767_225_600, -62_167_219_200, 253_402_300_799] {
            let timestamp = Timestamp::from_unix(seconds);
            // On some platforms, the earliest time is in 1601 or 1970.
            if let Ok(time) = SystemTime::try_from(timestamp) {
                assert_eq!(Timestamp::from(time), timestamp);
            }
        }
        for seconds in [i64::MIN, i64::MAX] {
            let time = SystemTime::try_from(Timestamp::from_unix(seconds));
            assert!(time.is_err() || time.map(Timestamp::from) == Ok(Timestamp::from_unix(seconds)));
        }
    }
}
