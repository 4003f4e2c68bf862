//! Metadata in files: `plus:DataMining` and `tdm:reservation` in the XMP of a JPEG, PNG or PDF file (S-44, S-47).
//!
//! In a JPEG or PNG, XMP packets are found by the file's structure. In a PDF, they are found by their first bytes.
//! Packets are parsed in place, and nothing is decompressed.

use super::tdmrep;
use crate::base::source::Location;
use crate::dialects::preference::{Claims, Notes, Place, Preference, Preferences, with_contained};
use crate::formats::xml;
use crate::formats::xml::{Element, Namespace};
use crate::model::Usage;
use crate::model::diagnostic::{Code, shown};
use crate::model::reading::Switches;
use crate::model::{Carrier, Dialect};
use memchr::memmem;

/// The namespaces of the properties and of RDF. Publishers write TDMRep's namespace with `/` or `#` at the end, so this
/// ending is ignored.
const NAMESPACES: [&str; 3] = [
    "http://ns.useplus.org/ldf/xmp/1.0/",
    "http://www.w3.org/ns/tdmrep/",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
];
const PLUS: Namespace = Namespace::Asked(0);
const TDM: Namespace = Namespace::Asked(1);
const RDF: Namespace = Namespace::Asked(2);

/// Returns the preferences in a file's metadata, or `None` if the file is not a JPEG, PNG or PDF file.
///
/// Cost: O(bytes).
pub(crate) fn of_file(document: usize, bytes: &[u8], _: &'static Switches, notes: Notes<'_>) -> Option<Preferences> {
    let packets = match bytes {
        [0xFF, 0xD8, 0xFF, ..] => of_jpeg(bytes, notes),
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n', ..] => of_png(bytes, notes),
        // Other bytes may precede the PDF header. PDF readers look for it in the first 1024 bytes.
        _ if memmem::find(bytes.get(..1024).unwrap_or(bytes), b"%PDF-").is_some() => {
            note_compressed_streams(bytes, notes);
            vec![(0, bytes.len())]
        }
        _ => return None,
    };
    let mut preferences = Preferences::new(Carrier::Document, Some(document));
    preferences.is_of_file = true;
    let mut faults = 0;
    for (start, end) in packets {
        let part = bytes.get(start..end).unwrap_or_default();
        let mut reader = Reader { bytes, begin: start, is_whole: true, preferences, notes };
        reader.part(part, &mut faults);
        preferences = reader.preferences;
    }
    Some(preferences)
}

/// The maximum number of faults in a file. After so many faults, the rest of the file is not read.
const MAX_FAULTS: usize = 64;

/// Returns the offsets at which packets begin: at a tag named `xmpmeta` or `RDF`, with any prefix or none.
fn packet_starts(bytes: &[u8]) -> Vec<usize> {
    /// The maximum length of a prefix.
    const PREFIX: usize = 32;
    let start = |at: usize| {
        let before = bytes.get(at.saturating_sub(PREFIX)..at)?;
        let from = memchr::memrchr(b'<', before)?;
        let prefix = before.get(from + 1..)?;
        let is_prefix = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.-".contains(byte);
        let is_one = prefix.strip_suffix(b":").is_some_and(|prefix| prefix.iter().all(is_prefix));
        (prefix.is_empty() || is_one).then(|| at - before.len() + from)
    };
    let mut starts: Vec<usize> =
        [&b"xmpmeta"[..], b"RDF"].iter().flat_map(|name| memmem::find_iter(bytes, name).filter_map(start)).collect();
    starts.sort_unstable();
    starts
}

/// Returns the packets in a JPEG, which are its APP1 segments for XMP. An extended packet is read only if it fits in
/// one segment.
fn of_jpeg(bytes: &[u8], notes: Notes<'_>) -> Vec<(usize, usize)> {
    const STANDARD: &[u8] = b"http://ns.adobe.com/xap/1.0/\0";
    const EXTENDED: &[u8] = b"http://ns.adobe.com/xmp/extension/\0";
    let (mut found, mut at) = (Vec::new(), 2);
    // Other bytes may be between segments, so readers search for the next marker.
    let next = |at: usize| Some(at + memchr::memchr(0xFF, bytes.get(at..)?)?);
    while let Some(marked) = next(at) {
        at = marked;
        let Some([_, marker, rest @ ..]) = bytes.get(at..) else { break };
        match (marker, rest) {
            // An escaped 0xFF byte is not a marker.
            (0, _) => at += 2,
            // A fill byte.
            (0xFF, _) => at += 1,
            // A marker without a segment.
            (0x01 | 0xD0..=0xD8, _) => at += 2,
            // The image data or the end of the image follows.
            (0xD9 | 0xDA, _) => break,
            (_, [high, low, ..]) => {
                let length = usize::from(u16::from_be_bytes([*high, *low])).max(2);
                let (start, end) = (at + 4, (at + 2 + length).min(bytes.len()));
                let segment = bytes.get(start..end).unwrap_or_default();
                if *marker == 0xE1 && segment.starts_with(STANDARD) {
                    found.push((start + STANDARD.len(), end));
                } else if *marker == 0xE1 && segment.starts_with(EXTENDED) {
                    // Skips a digest, the total length, and the offset of this part.
                    let data = start + EXTENDED.len() + 40;
                    let number = |from: usize| bytes.get(from..from + 4).and_then(|four| four.first_chunk().copied());
                    let (whole, offset) = (number(data - 8).map(u32::from_be_bytes), number(data - 4));
                    let is_all = whole.is_some_and(|whole| whole as usize <= end.saturating_sub(data));
                    if is_all && offset == Some([0; 4]) {
                        found.push((data, end));
                    } else {
                        let message = "this metadata has several parts, so it is not read".to_owned();
                        notes(Code::BadDocument, (start, end), message, "put the rights into the first packet");
                    }
                }
                at = end.max(at + 2);
            }
            _ => break,
        }
    }
    found
}

/// Returns the packets in a PNG, which are its uncompressed text chunks with the keyword for XMP.
fn of_png(bytes: &[u8], notes: Notes<'_>) -> Vec<(usize, usize)> {
    const KEYWORD: &[u8] = b"XML:com.adobe.xmp\0";
    /// The keyword that ImageMagick uses. Its content is in hexadecimal digits.
    const RAW_PROFILE: &[u8] = b"Raw profile type xmp\0";
    let (mut found, mut at) = (Vec::new(), 8);
    while let Some([a, b, c, d, kind @ ..]) = bytes.get(at..) {
        let start = at + 8;
        let end = start.saturating_add(u32::from_be_bytes([*a, *b, *c, *d]) as usize).min(bytes.len());
        let data = bytes.get(start..end).unwrap_or_default();
        let is_packet = data.starts_with(KEYWORD) || data.starts_with(RAW_PROFILE);
        if kind.starts_with(b"tEXt") && data.starts_with(KEYWORD) {
            found.push((start + KEYWORD.len(), end));
        } else if is_packet && (kind.starts_with(b"zTXt") || kind.starts_with(b"tEXt")) {
            compressed((start, end), notes);
        } else if kind.starts_with(b"iTXt") && data.starts_with(KEYWORD) {
            match data.get(KEYWORD.len()) {
                Some(0) => {
                    // Skips the compression method, then a language and a translated keyword, which both end with a
                    // NUL.
                    let texts = start + KEYWORD.len() + 2;
                    let nul = |from: usize| Some(from + memchr::memchr(0, bytes.get(from..end)?)? + 1);
                    found.extend(nul(texts).and_then(nul).map(|text| (text, end)));
                }
                _ => compressed((start, end), notes),
            }
        }
        if kind.starts_with(b"IEND") {
            break;
        }
        at = end.saturating_add(4);
    }
    found
}

/// Reports compressed metadata streams in a PDF, as far as their dictionaries are plain text.
fn note_compressed_streams(bytes: &[u8], notes: Notes<'_>) {
    /// How many bytes before and after `/Metadata` are searched for the rest of the stream's dictionary.
    const NEAR: usize = 512;
    for at in memmem::find_iter(bytes, b"/Metadata") {
        let before = bytes.get(at.saturating_sub(NEAR)..at).unwrap_or_default();
        // `/Type /Metadata` marks a metadata stream. `/Metadata 3 0 R` is only a reference to a stream.
        if !before.trim_ascii_end().ends_with(b"/Type") {
            continue;
        }
        let from = memmem::rfind(before, b" obj").map_or(at, |object| at - before.len() + object);
        let behind = bytes.get(at..(at + NEAR).min(bytes.len())).unwrap_or_default();
        let to = memmem::find(behind, b"stream").map_or(at, |stream| at + stream);
        let has_filter = |part: &[u8]| memmem::find(part, b"/Filter").is_some();
        if bytes.get(from..to).is_some_and(has_filter) {
            compressed((from, to), notes);
        }
    }
}

fn compressed(place: (usize, usize), notes: Notes<'_>) {
    let message = "this metadata is compressed or encoded, so it is not read".to_owned();
    notes(Code::BadDocument, place, message, "keep metadata uncompressed, as XMP recommends");
}

struct Reader<'r, 'n> {
    bytes: &'r [u8],
    /// The start of the part or packet that is being parsed.
    begin: usize,
    is_whole: bool,
    preferences: Preferences,
    notes: Notes<'n>,
}

impl Reader<'_, '_> {
    /// Adds the preferences in the packets in a part of the file.
    fn part(&mut self, part: &[u8], faults: &mut usize) {
        let start = self.begin;
        if let Some(wide) = memmem::find(part, b"x\0m\0p\0m\0e\0t\0a") {
            let message = "this metadata is written in UTF-16, so it is not read".to_owned();
            (self.notes)(Code::BadDocument, (start + wide, start + part.len()), message, "write it in UTF-8");
        }
        let (mut from, mut known, mut text) = (0, 0, "");
        for begin in packet_starts(part) {
            // Skips bytes that were already parsed.
            if begin < from || *faults >= MAX_FAULTS {
                continue;
            }
            // Bytes that are known to be UTF-8 are not validated again.
            if begin >= known + text.len() {
                (known, text) = (begin, xml::valid(part.get(begin..).unwrap_or_default()));
            }
            let xml = xml::packet(text.get(begin - known..).unwrap_or_default(), &NAMESPACES);
            (self.begin, self.is_whole) = (start + begin, xml.fault.is_none());
            if let Some(fault) = xml.fault {
                *faults += 1;
                let message = match *faults < MAX_FAULTS {
                    true => "this metadata is not well-formed, so its permissions do not count",
                    false => "this metadata is not well-formed, and the rest is not read",
                };
                let place = (self.begin + fault, self.begin + xml.end.max(fault));
                (self.notes)(Code::BadDocument, place, message.to_owned(), "write well-formed metadata");
            }
            if let Some(root) = &xml.root {
                self.element(root);
            }
            from = begin + xml.end;
        }
    }

    /// Adds the preferences in an element and its descendants. The XML parser limits the depth.
    fn element(&mut self, element: &Element) {
        for (namespace, name, value) in element.attributes() {
            self.property(namespace, name, value, element.tag);
        }
        if is_property(element.namespace, &element.name) {
            // A list has one value for each item.
            for (value, place) in values(element) {
                self.property(element.namespace, &element.name, value, place);
            }
        }
        for child in &element.children {
            self.element(child);
        }
    }

    fn property(&mut self, namespace: Namespace, name: &str, value: &str, place: (usize, usize)) {
        if !is_property(namespace, name) {
            return;
        }
        let place = (self.begin + place.0, self.begin + place.1);
        let (dialect, claims) = match namespace {
            TDM => (Dialect::TdmRep, tdmrep::reserved(value.as_bytes())),
            _ => (Dialect::PlusDataMining, self.data_mining(value, place)),
        };
        let permits = if self.is_whole { claims.permits } else { 0 };
        let claims = Claims { permits, ..claims };
        if claims.usages() != 0 {
            let at = Location { start: place.0 as u32, end: place.1 as u32, line: 0, column: 0 };
            let written = self.preferences.keep(self.bytes.get(place.0..place.1).unwrap_or_default());
            let place = Place::At(at, written);
            self.preferences.push(Preference { dialect, group: None, path: None, claims, place });
        } else if dialect == Dialect::TdmRep && self.is_whole {
            let message =
                format!("`{}` is neither 0 nor 1, so it has no effect", shown(value.as_bytes(), (0, value.len())));
            (self.notes)(Code::BadPreference, place, message, "write 1 to reserve, or 0 not to reserve");
        }
    }

    fn data_mining(&mut self, value: &str, place: (usize, usize)) -> Claims {
        const VOCABULARIES: [&str; 2] = ["http://ns.useplus.org/ldf/vocab/", "https://ns.useplus.org/ldf/vocab/"];
        const PROHIBITED: &str = "DMI-PROHIBITED";
        let value = value.trim();
        let begins =
            |text: &str, with: &str| text.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with));
        let vocabulary = VOCABULARIES.iter().find(|vocabulary| begins(value, vocabulary));
        let key = vocabulary.and_then(|vocabulary| value.get(vocabulary.len()..)).unwrap_or(value);
        if let Some((_, prohibits, permits)) = DATA_MINING.iter().find(|(name, ..)| name.eq_ignore_ascii_case(key)) {
            return Claims {
                prohibits: with_contained(prohibits),
                permits: with_contained(permits),
                ..Claims::default()
            };
        }
        let written = shown(value.as_bytes(), (0, value.len()));
        let values = "write a PLUS value, such as `DMI-ALLOWED` or `DMI-PROHIBITED`";
        if begins(key, PROHIBITED) {
            let message = format!("`{written}` is not a value that PLUS defines; it is read as `{PROHIBITED}`");
            (self.notes)(Code::UnknownPreference, place, message, values);
            let prohibited = DATA_MINING.iter().find(|(name, ..)| *name == PROHIBITED);
            return prohibited.map_or_else(Claims::default, |(_, prohibits, _)| Claims {
                prohibits: with_contained(prohibits),
                ..Claims::default()
            });
        }
        let message = format!("`{written}` is not a value that PLUS defines, so it has no effect");
        (self.notes)(Code::BadPreference, place, message, values);
        Claims::default()
    }
}

/// Returns a property's values, each with its span. The values are in the attributes `rdf:resource` and `rdf:value`, in
/// the text, and in the elements inside the property.
fn values(element: &Element) -> Vec<(&str, (usize, usize))> {
    let attributes = ["resource", "value"].into_iter().filter_map(|name| element.attribute(RDF, name));
    let own = attributes.chain([element.text.as_str()]).map(str::trim).filter(|own| !own.is_empty());
    let whole = (element.tag.0, element.end);
    own.map(|own| (own, whole)).chain(element.children.iter().flat_map(values)).collect()
}

fn is_property(namespace: Namespace, name: &str) -> bool {
    namespace == PLUS && name == "DataMining" || namespace == TDM && name == "reservation"
}

/// The values of `plus:DataMining`, in the order of the vocabulary, with the usages that each value prohibits and
/// permits.
pub(crate) const DATA_MINING: &[(&str, &[Usage], &[Usage])] = &[
    ("DMI-UNSPECIFIED", &[], &[]),
    ("DMI-ALLOWED", &[], &[Usage::Tdm]),
    ("DMI-PROHIBITED-AIMLTRAINING", &[Usage::TrainAi], &[]),
    ("DMI-PROHIBITED-GENAIMLTRAINING", &[Usage::TrainGenai], &[]),
    ("DMI-PROHIBITED-EXCEPTSEARCHENGINEINDEXING", &[Usage::Tdm], &[Usage::Search]),
    ("DMI-PROHIBITED", &[Usage::Tdm], &[]),
    ("DMI-PROHIBITED-SEECONSTRAINT", &[Usage::Tdm], &[]),
    ("DMI-PROHIBITED-SEEEMBEDDEDRIGHTSEXPR", &[Usage::Tdm], &[]),
    ("DMI-PROHIBITED-SEELINKEDRIGHTSEXPR", &[Usage::Tdm], &[]),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialects::preference::bit;
    use crate::model::Usage;
    use crate::model::reading::Reading;

    const XMP: &str = "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\
        <rdf:Description xmlns:p='http://ns.useplus.org/ldf/xmp/1.0/' BODY</rdf:Description></rdf:RDF></x:xmpmeta>";

    fn packet(body: &str) -> Vec<u8> {
        XMP.replace("BODY", body).into_bytes()
    }

    fn jpeg(packet: &[u8]) -> Vec<u8> {
        let body = [b"http://ns.adobe.com/xap/1.0/\0", packet].concat();
        let length = (body.len() as u16 + 2).to_be_bytes();
        [&[0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 1, 0xFF, 0xFF, 0xE1][..], &length, &body, &[0xFF, 0xD9]].concat()
    }

    fn png(packet: &[u8], flag: u8) -> Vec<u8> {
        let body = [b"XML:com.adobe.xmp\0", &[flag, 0, 0, 0][..], packet].concat();
        let length = (body.len() as u32).to_be_bytes();
        [&b"\x89PNG\r\n\x1A\n\0\0\0\0teXt\0\0\0\0"[..], &length, b"iTXt", &body, b"\0\0\0\0\0\0\0\0IEND"].concat()
    }

    fn read(bytes: &[u8]) -> (Vec<Claims>, Vec<Code>) {
        let mut codes = Vec::new();
        let read =
            of_file(0, bytes, Reading::Default.switches(), &mut |code, _, _, _| codes.push(code)).unwrap_or_default();
        assert!(read.is_of_file);
        for entry in &read.entries {
            let is_there = match entry.place {
                Place::At(at, written) => at.of(bytes) == written.of(&read.text),
                Place::Fact(_) => false,
            };
            assert!(is_there);
        }
        (read.entries.into_iter().map(|entry| entry.claims).collect(), codes)
    }

    #[test]
    fn s47_properties_are_found_in_every_kind_of_file_and_form() {
        let tdm = with_contained(&[Usage::Tdm]);
        for body in [
            "p:DataMining='http://ns.useplus.org/ldf/vocab/DMI-PROHIBITED'>",
            "><p:DataMining>dmi-prohibited</p:DataMining>",
            "><p:DataMining rdf:resource='http://ns.useplus.org/ldf/vocab/DMI-PROHIBITED-SEECONSTRAINT'/>",
            "><p:DataMining><rdf:Bag><rdf:li> DMI-PROHIBITED-NEW </rdf:li></rdf:Bag></p:DataMining>",
            "><t:reservation xmlns:t='http://www.w3.org/ns/tdmrep#'>1</t:reservation>",
        ] {
            let packet = packet(body);
            for file in [jpeg(&packet), png(&packet, 0), [b"%PDF-1.7 ", &packet[..], b" trailer"].concat()] {
                let (claims, _) = read(&file);
                assert_eq!(claims, [Claims { prohibits: tdm, ..Claims::default() }], "{body}");
            }
        }
        let except = read(&jpeg(&packet("p:DataMining='DMI-PROHIBITED-EXCEPTSEARCHENGINEINDEXING'>"))).0;
        assert_eq!(except, [Claims { prohibits: tdm, permits: bit(&Usage::Search), ..Claims::default() }]);
        assert_eq!(read(&jpeg(&packet("p:DataMining='DMI-UNSPECIFIED'>"))), (vec![], vec![]));
        assert_eq!(read(&jpeg(&packet("p:DataMining='no'>"))), (vec![], vec![Code::BadPreference]));
        let foreign = packet("><q:DataMining xmlns:q='urn:q'>DMI-PROHIBITED</q:DataMining>");
        assert_eq!(read(&jpeg(&foreign)).0, []);
    }

    #[test]
    fn s47_what_is_compressed_or_broken_is_reported_and_permits_nothing() {
        let allowed = packet("p:DataMining='DMI-ALLOWED'>");
        assert_eq!(read(&png(&allowed, 1)), (vec![], vec![Code::BadDocument]));
        let pdf = b"%PDF-1.7\n3 0 obj <</Filter/FlateDecode/Type /Metadata/Subtype/XML>> stream\n";
        assert_eq!(read(pdf), (vec![], vec![Code::BadDocument]));
        let broken = String::from_utf8_lossy(&allowed).replace("</rdf:RDF>", "");
        assert_eq!(read(&jpeg(broken.as_bytes())), (vec![], vec![Code::BadDocument]));
        let prohibited = broken.replace("ALLOWED", "PROHIBITED");
        assert_eq!(read(&jpeg(prohibited.as_bytes())).0.len(), 1);
    }

    #[test]
    fn any_bytes_have_an_answer() {
        let whole = [jpeg(&packet("p:DataMining='DMI-PROHIBITED'>")), png(&packet(">"), 0)];
        for file in whole {
            for length in 3..file.len() {
                let cut = file.get(..length).unwrap_or_default();
                let _ = of_file(0, cut, Reading::Default.switches(), &mut |_, _, _, _| {});
            }
        }
        let unclosed = [b"%PDF-", "<rdf:RDF>".repeat(20_000).as_bytes()].concat();
        assert!(
            of_file(0, &unclosed, Reading::Default.switches(), &mut |_, _, _, _| {})
                .is_some_and(|read| read.entries.is_empty())
        );
        assert!(of_file(0, b"GIF89a", Reading::Default.switches(), &mut |_, _, _, _| {}).is_none());
    }
}
