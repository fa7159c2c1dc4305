package io.tidemark.config;

import io.tidemark.receiver.AlertMatcher;
import io.tidemark.receiver.AlertmanagerFormat;
import io.tidemark.receiver.DiscordFormat;
import io.tidemark.receiver.LinkTemplate;
import io.tidemark.receiver.NotificationFormat;
import io.tidemark.receiver.NotificationLimit;
import io.tidemark.receiver.PagerDutyFormat;
import io.tidemark.receiver.PlainFormat;
import io.tidemark.receiver.Receiver;
import io.tidemark.receiver.SlackFormat;
import io.tidemark.receiver.TelegramFormat;
import io.tidemark.receiver.TemplateFormat;
import io.tidemark.yaml.Secret;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Who is told of alerts, and how. */
final class ReceiverReader {

  private static final List<String> FORMATS =
      List.of("plain", "telegram", "discord", "slack", "pagerduty", "alertmanager", "template");

  private ReceiverReader() {}

  static List<Receiver> read(Section in) {
    var names = new HashSet<String>();
    return in.sections("receivers").stream().map(section -> {
      var receiver = receiver(section);
      if (!names.add(receiver.name())) {
        throw section.refused("name", "another receiver has this name");
      }
      return receiver;
    }).toList();
  }

  private static Receiver receiver(Section in) {
    in.only("name", "format", "url", "url-file", "match", "at-most", "deliver-within", "link", "private-addresses",
        "secrets", "secret-files", "chat", "routing-key", "routing-key-file", "template", "content-type");
    try {
      return new Receiver(
          in.required("name").text(),
          format(in),
          url(in),
          match(in.section("match")),
          in.get("at-most", "20 per minute").made(NotificationLimit::parse),
          in.get("deliver-within", "10m").duration(),
          in.get("private-addresses", "false").flag());
    } catch (IllegalArgumentException e) {
      throw in.refused(String.valueOf(e.getMessage()));
    }
  }

  private static NotificationFormat format(Section in) {
    var format = in.required("format");
    var link = in.get("link", "").made(LinkTemplate::new);
    return switch (format.text()) {
      case "plain" -> new PlainFormat(signers(in), link);
      case "telegram" -> new TelegramFormat(in.required("chat").text(), link);
      case "discord" -> new DiscordFormat(link);
      case "slack" -> new SlackFormat(link);
      case "pagerduty" -> new PagerDutyFormat(new PagerDutyFormat.RoutingKey(secret(in, "routing-key").value()), link);
      case "alertmanager" -> new AlertmanagerFormat(link);
      case "template" -> template(in, link);
      default -> throw format.wrongWord(FORMATS);
    };
  }

  private static NotificationFormat template(Section in, LinkTemplate link) {
    var file = in.required("template");
    var type = in.get("content-type", "application/json").text();
    var text = in.text(file);
    return file.made(name -> new TemplateFormat(type, text, link));
  }

  /** A secret as a whole: whoever knows the address can write there. */
  private static URI url(Section in) {
    try {
      return URI.create(secret(in, "url").value());
    } catch (IllegalArgumentException e) {
      throw in.refused("url", "what it stands for is no address like https://example.org/hook");
    }
  }

  private static Secret secret(Section in, String key) {
    var secret = in.secret(key);
    if (secret == null) {
      throw in.refused("'" + key + "' is missing, or '" + key + "-file' with the name of a file that has it");
    }
    return secret;
  }

  private static List<PlainFormat.SigningKey> signers(Section in) {
    var keys = new ArrayList<PlainFormat.SigningKey>();
    for (var secret : in.secrets("secrets")) {
      keys.add(key(secret.value(), in, "secrets"));
    }
    for (var file : in.list("secret-files")) {
      keys.add(key(in.text(file).strip(), in, "secret-files"));
    }
    return keys;
  }

  private static PlainFormat.SigningKey key(String text, Section in, String where) {
    try {
      return PlainFormat.SigningKey.of(text);
    } catch (IllegalArgumentException e) {
      throw in.refused(where, String.valueOf(e.getMessage()));
    }
  }

  private static AlertMatcher match(Section in) {
    in.only("rules", "severity", "networks", "labels");
    var severity = in.get("severity", "info");
    if (!AlertMatcher.SEVERITIES.contains(severity.text())) {
      throw severity.wrongWord(AlertMatcher.SEVERITIES);
    }
    var labels = new TreeMap<String, Set<String>>();
    in.section("labels").keys().forEach(name -> labels.put(name, texts(in.section("labels"), name)));
    if (in.has("networks")) {
      labels.put("network", texts(in, "networks"));
    }
    return new AlertMatcher(texts(in, "rules"), severity.text(), Map.copyOf(labels));
  }

  private static Set<String> texts(Section in, String key) {
    return in.list(key).stream().map(Value::text).collect(Collectors.toUnmodifiableSet());
  }
}
