package io.tidemark.cli.settings;

import io.tidemark.change.Detection;
import io.tidemark.change.Worth;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;

/** Reads what is worth an event: {@code events} and {@code emit}. */
final class WorthReader {

  private static final List<String> RESOURCES = List.of("pool", "token", "ranking", "global", "coin-day", "ticker",
      "derivatives-exchange", "contract", "treasury", "holding", "platform");

  private WorthReader() {}

  static Worth read(Section source) {
    var events = source.get("events", "material");
    var emit = source.section("emit");
    emit.only(RESOURCES.stream()
        .flatMap(resource -> Detection.facets(resource).stream().map(facet -> resource + "." + facet))
        .toArray(String[]::new));
    var rules = new HashMap<String, Worth.Rule>();
    emit.keys().forEach(facet -> rules.put(facet, rule(emit.section(facet))));
    return switch (events.text()) {
      case "material" -> new Worth(false, rules);
      case "everything" -> new Worth(true, rules);
      default -> throw events.wrongWord(List.of("material", "everything"));
    };
  }

  /** A band is a difference, or with a % relative to the value last told. */
  private static Worth.Rule rule(Section in) {
    in.only("band", "every");
    var every = in.has("every") ? in.required("every").duration() : Duration.ZERO;
    var band = in.get("band", "0");
    var relative = band.text().endsWith("%");
    var size = relative ? band.withText(band.text().substring(0, band.text().length() - 1).strip()) : band;
    if (!(size.number() >= 0)) {
      throw band.refused("0 or more, such as 0.5 or 0.1%");
    }
    return new Worth.Rule(relative ? size.number() : 0, relative ? 0 : size.number(), every);
  }
}
