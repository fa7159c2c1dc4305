package io.tidemark.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Whose dead letters are meant. */
final class LetterBox {

  @Mixin
  Place place = new Place();

  @Option(names = "--source", paramLabel = "NAME",
      description = "The source of the configuration (needed where it has several).")
  @Nullable
  String source;

  Letters open() {
    return new Letters(place.cluster(), place.registry(), place.topicsOf(source));
  }
}
