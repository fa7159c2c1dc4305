package io.tidemark.notify;

import java.time.Instant;
import java.util.List;

/** Posts messages to a Discord webhook, without mentions and link previews. */
public record DiscordFormat(NotificationLinks links) implements NotificationFormat {

  private static final int LONGEST = 2000;
  private static final int SUPPRESS_EMBEDS = 1 << 2;

  /**
   * Replaces each backtick within code by an apostrophe, because a backtick would end the code and cannot be escaped.
   */
  @Override
  public WebhookRequest request(Notification notification, Instant now) {
    var content = NotificationContent.of(notification, links, now).render(
        text -> "**" + text.replaceAll("([\\\\*_~`|>#\\[\\]()<@])", "\\\\$1") + "**",
        text -> "`" + text.replace('`', '\'') + "`",
        (name, url) -> "[" + name + "](<" + url.replace(">", "%3E") + ">)",
        LONGEST);
    return WebhookRequest.json(NotificationJson.object(
        "content", content,
        "allowed_mentions", NotificationJson.object("parse", List.of()),
        "flags", SUPPRESS_EMBEDS));
  }
}
