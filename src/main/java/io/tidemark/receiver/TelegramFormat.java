package io.tidemark.receiver;

import java.time.Instant;

/** Posts HTML messages, without previews, to a Telegram bot: {@code https://api.telegram.org/bot<token>/sendMessage}. */
public record TelegramFormat(String chat, LinkTemplate link) implements NotificationFormat {

  private static final int LONGEST = 4096;

  @Override
  public WebhookRequest request(Notification notification, Instant now) {
    return WebhookRequest.json(NotificationJson.object(
        "chat_id", chat,
        "text", NotificationContent.of(notification, link).render(new TelegramMarkup(), LONGEST),
        "parse_mode", "HTML",
        "link_preview_options", NotificationJson.object("is_disabled", true)));
  }

  private record TelegramMarkup() implements NotificationContent.ChatMarkup {

    @Override
    public String bold(String text) {
      return "<b>" + escaped(text) + "</b>";
    }

    @Override
    public String code(String text) {
      return "<code>" + escaped(text) + "</code>";
    }

    @Override
    public String link(String url) {
      return "<a href=\"" + escaped(url) + "\">open</a>";
    }

    private static String escaped(String text) {
      return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }
  }
}
