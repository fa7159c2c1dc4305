package io.tidemark.config;

import io.tidemark.change.PublishSettings;
import io.tidemark.event.ChangeView;
import io.tidemark.yaml.DurationFormat;
import io.tidemark.yaml.YamlSection;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;

/** Reads which changes are published, {@code events} and {@code emit}. */
final class PublishSettingsReader {

  private PublishSettingsReader() {}

  static PublishSettings read(YamlSection source) {
    var events = source.get("events", "material");
    var emit = source.section("emit");
    emit.only(ChangeView.ofResources().stream()
        .flatMap(view -> view.facets().stream().map(facet -> view.resource() + "." + facet.name()))
        .toArray(String[]::new));
    var thresholds = new HashMap<String, PublishSettings.Threshold>();
    emit.keys().forEach(facet -> thresholds.put(facet, threshold(emit.section(facet))));
    var everything = events.oneOf(List.of("material", "everything")).equals("everything");
    return new PublishSettings(everything, thresholds);
  }

  /** A band is a difference, or with a % sign relative to the value last published. */
  private static PublishSettings.Threshold threshold(YamlSection in) {
    in.only("band", "every");
    var every = in.has("every") ? in.required("every").duration(DurationFormat.OF_CONFIGURATION) : Duration.ZERO;
    var band = in.get("band", "0");
    var relative = band.text().endsWith("%");
    var size = relative ? band.withText(band.text().substring(0, band.text().length() - 1).strip()) : band;
    if (!(size.number() >= 0)) {
      throw band.invalid("0 or more, such as 0.5 or 0.1%");
    }
    return new PublishSettings.Threshold(relative ? size.number() : 0, relative ? 0 : size.number(), every);
  }
}
