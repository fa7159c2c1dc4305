package io.tidemark.cli.demo;

import io.tidemark.app.config.Settings;
import io.tidemark.cli.plan.FirstConfiguration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a demo. It is also written to a file in the folder of the demo's data. With this file, other
 * commands reach the demo.
 *
 * @param text text of the configuration, with variables
 * @param values values of the variables, including secrets
 */
record DemoConfiguration(String text, Map<String, String> values) {

  static final String FILE = "tidemark.yaml";

  private static final String TEMPLATE = "demo.yaml";
  private static final String KEY = "MARKET_KEY";
  private static final String RECEIVER_URL = "RECEIVER_URL";
  private static final String SOURCES = "sources:\n";
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Z_]+)}");
  private static final String RECEIVER = """
      receivers: [ { name: demo, format: plain, url: "${RECEIVER_URL}", private-addresses: true } ]
      """;

  /**
   * Creates a configuration from the template.
   *
   * @param first configuration whose sources replace those of the template; null for none
   * @param receiver address of a receiver of alerts; null for none
   */
  static DemoConfiguration of(
      @Nullable FirstConfiguration first, Map<String, String> values, String key, @Nullable String receiver) {
    var text = template();
    if (first != null) {
      text = text.substring(0, text.indexOf(SOURCES))
          + first.sources("    keys: [ { key: \"${%s}\", %s } ]\n".formatted(KEY, first.limits()));
    }
    var all = new HashMap<>(values);
    all.put(KEY, key);
    if (receiver != null) {
      all.put(RECEIVER_URL, receiver);
    }
    return new DemoConfiguration(receiver == null ? text : text + RECEIVER, all);
  }

  private static String template() {
    try (var stream = Objects.requireNonNull(DemoConfiguration.class.getResourceAsStream(TEMPLATE))) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Settings settings() {
    return Settings.parse(TEMPLATE, text, values::get);
  }

  /**
   * Writes the configuration to a file, with the addresses at which the demo is reachable now. The market's key and
   * the receiver's URL are written to separate files; the hash of the web key is in the configuration.
   */
  void write(DataFolder folder, String bootstrapServers, int webPort, int managementPort) {
    var now = new HashMap<>(values);
    now.put("WEB_PORT", Integer.toString(webPort));
    now.put("MANAGEMENT_PORT", Integer.toString(managementPort));
    var file = text.replaceFirst("(?m)^kafka: .*", "kafka: { bootstrap-servers: \"" + bootstrapServers + "\" }");
    file = withFile(folder, file, "key", KEY, "market-key");
    file = withFile(folder, file, "url", RECEIVER_URL, "receiver-url");
    folder.write(FILE, VARIABLE.matcher(file).replaceAll(
        variable -> Matcher.quoteReplacement(Objects.requireNonNull(now.get(variable.group(1))))));
  }

  private String withFile(DataFolder folder, String file, String option, String variable, String name) {
    var secret = values.get(variable);
    if (secret == null) {
      return file;
    }
    folder.write(name, secret);
    return file.replace("%s: \"${%s}\"".formatted(option, variable), "%s-file: %s".formatted(option, name));
  }
}
