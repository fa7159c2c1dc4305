package io.tidemark.app.config;

import io.tidemark.event.DurationFormat;
import io.tidemark.event.Secret;
import io.tidemark.notify.AlertMatcher;
import io.tidemark.notify.AlertmanagerFormat;
import io.tidemark.notify.DiscordFormat;
import io.tidemark.notify.LinkTemplate;
import io.tidemark.notify.NotificationFormat;
import io.tidemark.notify.NotificationLimit;
import io.tidemark.notify.NotificationLinks;
import io.tidemark.notify.PagerDutyFormat;
import io.tidemark.notify.PlainFormat;
import io.tidemark.notify.Receiver;
import io.tidemark.notify.SlackFormat;
import io.tidemark.notify.TelegramFormat;
import io.tidemark.notify.TemplateFormat;
import io.tidemark.yaml.YamlSection;
import io.tidemark.yaml.YamlValue;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Reads the receivers of alerts. */
final class ReceiverReader {

  private static final List<String> FORMATS =
      List.of("plain", "telegram", "discord", "slack", "pagerduty", "alertmanager", "template");

  private ReceiverReader() {}

  static List<Receiver> read(YamlSection in) {
    var names = new HashSet<String>();
    var links = links(in.section("links"));
    return in.sections("receivers").stream().map(section -> {
      var receiver = receiver(section, links);
      if (!names.add(receiver.name())) {
        throw section.invalid("name", "another receiver has this name; give each receiver its own name");
      }
      return receiver;
    }).toList();
  }

  private static Receiver receiver(YamlSection in, NotificationLinks links) {
    in.only("name", "format", "url", "url-file", "match", "at-most", "deliver-within", "link", "private-addresses",
        "secrets", "secret-files", "chat", "thread", "routing-key", "routing-key-file", "template", "content-type");
    return in.as(() -> new Receiver(
        in.required("name").text(),
        format(in, in.has("link") ? NotificationLinks.of(link(in.required("link"))) : links),
        url(in),
        match(in.section("match")),
        in.get("at-most", "20 per minute").as(NotificationLimit::parse),
        in.get("deliver-within", "10m").duration(DurationFormat.OF_CONFIGURATION),
        in.get("private-addresses", "false").flag()));
  }

  /** Reads the templates of {@code links}, which override the default templates. */
  private static NotificationLinks links(YamlSection in) {
    in.only(NotificationLinks.CHART, NotificationLinks.EXPLORER);
    var links = NotificationLinks.DEFAULT;
    for (var name : in.keys()) {
      var networks = in.section(name);
      var templates = new TreeMap<String, LinkTemplate>();
      networks.keys().forEach(network -> templates.put(network, link(networks.required(network))));
      links = links.with(name, templates);
    }
    return links;
  }

  private static LinkTemplate link(YamlValue value) {
    return value.text().equals("none") ? LinkTemplate.NONE : value.as(LinkTemplate::new);
  }

  private static NotificationFormat format(YamlSection in, NotificationLinks links) {
    var format = in.required("format");
    return switch (format.oneOf(FORMATS)) {
      case "plain" -> new PlainFormat(signingKeys(in), links);
      case "telegram" -> new TelegramFormat(in.required("chat").text(),
          in.has("thread") ? in.required("thread").integer(1, Integer.MAX_VALUE, "the id of a topic") : null, links);
      case "discord" -> new DiscordFormat(links);
      case "slack" -> new SlackFormat(links);
      case "pagerduty" -> new PagerDutyFormat(secret(in, "routing-key"), links);
      case "alertmanager" -> new AlertmanagerFormat(links);
      default -> template(in, links);
    };
  }

  private static NotificationFormat template(YamlSection in, NotificationLinks links) {
    var file = in.required("template");
    var type = in.get("content-type", "application/json").text();
    var text = in.fileText(file);
    return file.as(name -> new TemplateFormat(type, text, links));
  }

  /** The whole address is a secret, because whoever knows the address can send messages to the receiver. */
  private static URI url(YamlSection in) {
    try {
      return URI.create(secret(in, "url").value());
    } catch (IllegalArgumentException e) {
      throw in.invalid("url", "the value is not an address such as https://example.org/hook");
    }
  }

  private static Secret secret(YamlSection in, String key) {
    var secret = in.secret(key);
    if (secret == null) {
      throw in.invalid(
          "'" + key + "' is missing; set it, or set '" + key + "-file' to the name of a file that contains it");
    }
    return secret;
  }

  private static List<Secret> signingKeys(YamlSection in) {
    var keys = new ArrayList<Secret>();
    in.secrets("secrets").forEach(secret -> keys.add(in.as("secrets", () -> PlainFormat.signingKey(secret.value()))));
    in.list("secret-files")
        .forEach(file -> keys.add(in.as("secret-files", () -> PlainFormat.signingKey(in.fileText(file).strip()))));
    return keys;
  }

  private static AlertMatcher match(YamlSection in) {
    in.only("rules", "severity", "networks", "labels");
    var severity = in.get("severity", "info").oneOf(AlertMatcher.SEVERITIES);
    var labels = new TreeMap<String, Set<String>>();
    in.section("labels").keys().forEach(name -> labels.put(name, nonEmptyTexts(in.section("labels"), name)));
    if (in.has("networks") && labels.put("network", nonEmptyTexts(in, "networks")) != null) {
      throw in.invalid("networks", "is the label 'network', which 'labels' has too; leave one of them out");
    }
    return new AlertMatcher(texts(in, "rules"), severity, Map.copyOf(labels));
  }

  /** Returns the texts of a list. An empty list would match no alert. */
  private static Set<String> nonEmptyTexts(YamlSection in, String key) {
    var texts = texts(in, key);
    if (texts.isEmpty()) {
      throw in.invalid(key, "is empty, so it would match no alert; leave out the key to match all alerts");
    }
    return texts;
  }

  private static Set<String> texts(YamlSection in, String key) {
    return in.list(key).stream().map(YamlValue::text).collect(Collectors.toUnmodifiableSet());
  }
}
