package io.tidemark.rule.file;

import io.tidemark.rule.Mute;
import io.tidemark.yaml.YamlSection;
import io.tidemark.yaml.YamlValue;
import java.time.DayOfWeek;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The text form of mutes in documents of rules. */
final class MuteFormat {

  private MuteFormat() {}

  /** @throws io.tidemark.yaml.YamlException if the section is not a mute */
  static Mute read(YamlSection in) {
    in.only("name", "rules", "severities", "labels", "days", "from", "to", "zone");
    var days = in.values("days").stream().map(each -> each.oneOf(DayOfWeek.values(), MuteFormat::text));
    var labels = new TreeMap<String, String>();
    in.section("labels").keys().forEach(each -> labels.put(each, in.section("labels").required(each).text()));
    return in.as(() -> new Mute(
        in.required("name").text(),
        in.values("rules").stream().map(YamlValue::text).toList(),
        in.values("severities").stream().map(each -> each.oneOf(RuleKey.SEVERITIES)).toList(),
        labels,
        in.has("days") ? days.collect(Collectors.toSet())
            : Arrays.stream(DayOfWeek.values()).collect(Collectors.toSet()),
        time(in.get("from", "00:00")),
        time(in.get("to", "00:00")),
        zone(in.get("zone", "UTC"))));
  }

  /** Returns a mute as a document that {@link #read} reads. */
  static Map<String, Object> document(Mute mute) {
    var document = new LinkedHashMap<String, Object>();
    document.put("name", mute.name());
    document.put("rules", mute.rules());
    document.put("severities", mute.severities());
    document.put("labels", new TreeMap<>(mute.labels()));
    document.put("days", mute.days().stream().sorted().map(MuteFormat::text).toList());
    document.put("from", mute.from().toString());
    document.put("to", mute.to().toString());
    document.put("zone", mute.zone().getId());
    return document;
  }

  private static String text(DayOfWeek day) {
    return day.name().substring(0, 3).toLowerCase(Locale.ROOT);
  }

  private static LocalTime time(YamlValue value) {
    if (!value.text().matches("([01]\\d|2[0-3]):[0-5]\\d")) {
      throw value.invalid("'" + value.written() + "' is not a time of the day such as \"07:30\"");
    }
    return LocalTime.parse(value.text());
  }

  private static ZoneId zone(YamlValue value) {
    if (!ZoneId.getAvailableZoneIds().contains(value.text())) {
      throw value.invalid("'" + value.written() + "' is not a time zone such as Europe/Zurich or UTC");
    }
    return ZoneId.of(value.text());
  }
}
