package io.tidemark.cli.settings;

import io.tidemark.yaml.Place;

/** A configuration that cannot be used: where, what, and what to write instead. It never shows a secret. */
public final class WrongSettings extends RuntimeException {

  WrongSettings(Place place, String path, String problem) {
    super(place + ": " + (path.isEmpty() ? "" : path + ": ") + problem);
  }
}
