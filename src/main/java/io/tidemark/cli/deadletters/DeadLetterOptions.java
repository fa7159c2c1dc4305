package io.tidemark.cli.deadletters;

import io.tidemark.cli.command.ClusterOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Whose dead letters are meant. */
final class DeadLetterOptions {

  @Mixin
  ClusterOptions options = new ClusterOptions();

  @Option(names = "--source", paramLabel = "NAME",
      description = "The source of the configuration (needed where it has several).")
  @Nullable
  String source;

  DeadLetterReader open() {
    return new DeadLetterReader(options.cluster(), options.registry(), options.topicsOf(source));
  }
}
