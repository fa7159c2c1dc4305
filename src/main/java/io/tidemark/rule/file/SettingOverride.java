package io.tidemark.rule.file;

import io.tidemark.yaml.FilePosition;
import java.util.List;

/**
 * A value that a configuration gives to a setting of a rule.
 *
 * @param setting its name as it is written there: in kebab case
 * @param values as they are written; one where it is no list
 */
public record SettingOverride(
    String rule, String setting, List<String> values, boolean isList, FilePosition position) {

  /** The keys of the configuration that lead to it. */
  String path() {
    return "set." + rule + "." + setting;
  }
}
