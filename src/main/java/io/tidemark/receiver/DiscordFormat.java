package io.tidemark.receiver;

import java.time.Instant;
import java.util.List;

/** A message of a Discord webhook, without mentions and previews. */
public record DiscordFormat(LinkTemplate link) implements NotificationFormat {

  private static final int LONGEST = 2000;
  private static final int SUPPRESS_EMBEDS = 1 << 2;

  @Override
  public WebhookRequest request(Notification notification, Instant now) {
    return WebhookRequest.json(NotificationJson.object(
        "content", new DiscordMarkup().render(NotificationContent.of(notification, link), LONGEST),
        "allowed_mentions", NotificationJson.object("parse", List.of()),
        "flags", SUPPRESS_EMBEDS));
  }

  private record DiscordMarkup() implements ChatMarkup {

    @Override
    public String bold(String text) {
      return "**" + text.replaceAll("([\\\\*_~`|>#\\[\\]()<@])", "\\\\$1") + "**";
    }

    /** Nothing can be escaped within code but its end: that is replaced. */
    @Override
    public String code(String text) {
      return "`" + text.replace('`', '\'') + "`";
    }

    @Override
    public String link(String url) {
      return "<" + url.replace(">", "%3E") + ">";
    }
  }
}
