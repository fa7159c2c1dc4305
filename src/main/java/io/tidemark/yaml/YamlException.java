package io.tidemark.yaml;

/** A configuration that cannot be used: where, what, and what to write instead. It never shows a secret. */
public final class YamlException extends RuntimeException {

  public YamlException(FilePosition place, String path, String problem) {
    super(place + ": " + (path.isEmpty() ? "" : path + ": ") + problem);
  }
}
