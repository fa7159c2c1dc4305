package io.tidemark.notify;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Posts HTML messages without link previews to a Telegram bot: {@code https://api.telegram.org/bot<token>/sendMessage}.
 *
 * @param thread id of a topic of the chat; null for the chat itself
 */
public record TelegramFormat(String chat, @Nullable Integer thread, NotificationLinks links)
    implements NotificationFormat {

  private static final int LONGEST = 4096;

  @Override
  public WebhookRequest request(Notification notification, Instant now) {
    var content = NotificationContent.of(notification, links, now).render(
        text -> "<b>" + escaped(text) + "</b>",
        text -> "<code>" + escaped(text) + "</code>",
        (name, url) -> "<a href=\"" + escaped(url) + "\">" + escaped(name) + "</a>",
        LONGEST);
    return WebhookRequest.json(NotificationJson.object(
        "chat_id", chat,
        "message_thread_id", thread,
        "text", content,
        "parse_mode", "HTML",
        "link_preview_options", NotificationJson.object("is_disabled", true)));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
  }
}
