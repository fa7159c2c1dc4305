package io.tidemark.receiver;

import java.time.Instant;
import java.util.List;

/** Posts messages to a Discord webhook, without mentions and previews. */
public record DiscordFormat(LinkTemplate link) implements NotificationFormat {

  private static final int LONGEST = 2000;
  private static final int SUPPRESS_EMBEDS = 1 << 2;

  @Override
  public WebhookRequest request(Notification notification, Instant now) {
    return WebhookRequest.json(NotificationJson.object(
        "content", NotificationContent.of(notification, link).render(new DiscordMarkup(), LONGEST),
        "allowed_mentions", NotificationJson.object("parse", List.of()),
        "flags", SUPPRESS_EMBEDS));
  }

  private record DiscordMarkup() implements NotificationContent.ChatMarkup {

    @Override
    public String bold(String text) {
      return "**" + text.replaceAll("([\\\\*_~`|>#\\[\\]()<@])", "\\\\$1") + "**";
    }

    /** Discord escapes nothing within code; only its end mark matters and is replaced. */
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
