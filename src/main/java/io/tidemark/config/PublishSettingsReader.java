package io.tidemark.config;

import io.tidemark.change.ChangeDetector;
import io.tidemark.change.PublishSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;

/** Reads what is worth an event: {@code events} and {@code emit}. */
final class PublishSettingsReader {

  private static final List<String> RESOURCES = List.of("pool", "token", "ranking", "global", "coin-day", "ticker",
      "derivatives-exchange", "contract", "treasury", "holding", "platform");

  private PublishSettingsReader() {}

  static PublishSettings read(Section source) {
    var events = source.get("events", "material");
    var emit = source.section("emit");
    emit.only(RESOURCES.stream()
        .flatMap(resource -> ChangeDetector.facets(resource).stream().map(facet -> resource + "." + facet))
        .toArray(String[]::new));
    var rules = new HashMap<String, PublishSettings.Threshold>();
    emit.keys().forEach(facet -> rules.put(facet, rule(emit.section(facet))));
    return switch (events.text()) {
      case "material" -> new PublishSettings(false, rules);
      case "everything" -> new PublishSettings(true, rules);
      default -> throw events.wrongWord(List.of("material", "everything"));
    };
  }

  /** A band is a difference, or with a % relative to the value last told. */
  private static PublishSettings.Threshold rule(Section in) {
    in.only("band", "every");
    var every = in.has("every") ? in.required("every").duration() : Duration.ZERO;
    var band = in.get("band", "0");
    var relative = band.text().endsWith("%");
    var size = relative ? band.withText(band.text().substring(0, band.text().length() - 1).strip()) : band;
    if (!(size.number() >= 0)) {
      throw band.refused("0 or more, such as 0.5 or 0.1%");
    }
    return new PublishSettings.Threshold(relative ? size.number() : 0, relative ? 0 : size.number(), every);
  }
}
