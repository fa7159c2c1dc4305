package io.tidemark.rule.file;

import io.tidemark.yaml.FilePosition;
import java.util.List;

/**
 * A setting of a rule, chosen elsewhere than in the rule.
 *
 * @param setting as it is written there: in kebab case
 * @param values as they were written; one where it is no list
 */
public record SettingOverride(String rule, String setting, List<String> values, boolean list, FilePosition position) {}
