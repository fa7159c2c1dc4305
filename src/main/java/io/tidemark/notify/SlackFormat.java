package io.tidemark.notify;

import java.time.Instant;

/** Posts messages to a Slack incoming webhook, without link previews. */
public record SlackFormat(NotificationLinks links) implements NotificationFormat {

  private static final int LONGEST = 3900;

  @Override
  public WebhookRequest request(Notification notification, Instant now) {
    var content = NotificationContent.of(notification, links, now).render(
        text -> "*" + escaped(text).replace('*', '\'') + "*",
        text -> "`" + escaped(text).replace('`', '\'') + "`",
        (name, url) -> "<" + escaped(url).replace("|", "%7C") + "|" + escaped(name) + ">",
        LONGEST);
    return WebhookRequest.json(
        NotificationJson.object("text", content, "unfurl_links", false, "unfurl_media", false));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
