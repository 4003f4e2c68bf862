//! Instants as seconds since 1970 in UTC, and days of the calendar, counted one by one (S-20).

/// The seconds of a day.
pub const DAY: i64 = 86_400;

/// A day: year, month, day of the month.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date(pub i64, pub i64, pub i64);

impl Date {
    /// The day written `YYYY-MM-DD`, if the calendar has it.
    pub fn read(text: &str) -> Option<Self> {
        let parts: Vec<&str> = text.split('-').collect();
        let [year, month, day] = parts.as_slice() else { return None };
        let is_number = |part: &str, digits: usize| part.len() == digits && part.bytes().all(|b| b.is_ascii_digit());
        if !is_number(year, 4) || !is_number(month, 2) || !is_number(day, 2) {
            return None;
        }
        let date = Self(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?);
        let is_real = (1..=12).contains(&date.1) && date.2 >= 1 && date.2 <= days_of_month(date.0, date.1);
        is_real.then_some(date)
    }

    pub fn spelling(self) -> String {
        format!("{:04}-{:02}-{:02}", self.0, self.1, self.2)
    }
}

fn is_leap_year(year: i64) -> bool {
    (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
}

fn days_of_year(year: i64) -> i64 {
    if is_leap_year(year) { 366 } else { 365 }
}

fn days_of_month(year: i64, month: i64) -> i64 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap_year(year) => 29,
        2 => 28,
        _ => 31,
    }
}

/// The first instant of a day.
fn midnight_of(date: Date) -> i64 {
    let years: i64 = match date.0 >= 1970 {
        true => (1970..date.0).map(days_of_year).sum(),
        false => -(date.0..1970).map(days_of_year).sum::<i64>(),
    };
    let months: i64 = (1..date.1).map(|month| days_of_month(date.0, month)).sum();
    (years + months + date.2 - 1) * DAY
}

/// The first instant after a day.
pub fn midnight_after(date: Date) -> i64 {
    midnight_of(date) + DAY
}

/// The instant written as RFC 3339 has it, whole seconds only.
pub fn read(text: &str) -> Option<i64> {
    let (date, time) = text.split_once(['T', 't'])?;
    let date = Date::read(date)?;
    let clock = time.get(..8)?;
    let zone = time.get(8..)?;
    let numbers: Vec<i64> = clock.split(':').filter_map(|part| part.parse().ok()).collect();
    let [hours, minutes, seconds] = numbers.as_slice() else { return None };
    let offset = match zone {
        "Z" | "z" => 0,
        _ => {
            let sign = if zone.starts_with('-') { -1 } else { 1 };
            let (hours, minutes) = zone.get(1..)?.split_once(':')?;
            sign * (hours.parse::<i64>().ok()? * 3600 + minutes.parse::<i64>().ok()? * 60)
        }
    };
    Some(midnight_of(date) + hours * 3600 + minutes * 60 + seconds - offset)
}

/// The instant as RFC 3339 has it, in UTC.
pub fn written(instant: i64) -> String {
    let mut days = instant.div_euclid(DAY);
    let clock = instant.rem_euclid(DAY);
    let mut year = 1970;
    while days < 0 {
        year -= 1;
        days += days_of_year(year);
    }
    while days >= days_of_year(year) {
        days -= days_of_year(year);
        year += 1;
    }
    let mut month = 1;
    while days >= days_of_month(year, month) {
        days -= days_of_month(year, month);
        month += 1;
    }
    let date = Date(year, month, days + 1).spelling();
    format!("{date}T{:02}:{:02}:{:02}Z", clock / 3600, clock / 60 % 60, clock % 60)
}
