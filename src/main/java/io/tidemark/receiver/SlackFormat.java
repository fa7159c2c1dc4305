package io.tidemark.receiver;

import java.time.Instant;

/** Posts messages to a Slack incoming webhook, without previews. */
public record SlackFormat(LinkTemplate link) implements NotificationFormat {

  private static final int LONGEST = 3900;

  @Override
  public WebhookRequest request(Notification notification, Instant now) {
    return WebhookRequest.json(NotificationJson.object(
        "text", NotificationContent.of(notification, link).render(new SlackMarkup(), LONGEST),
        "unfurl_links", false,
        "unfurl_media", false));
  }

  private record SlackMarkup() implements NotificationContent.ChatMarkup {

    @Override
    public String bold(String text) {
      return "*" + escaped(text).replace('*', '\'') + "*";
    }

    @Override
    public String code(String text) {
      return "`" + escaped(text).replace('`', '\'') + "`";
    }

    @Override
    public String link(String url) {
      return "<" + escaped(url).replace("|", "%7C") + "|open>";
    }

    private static String escaped(String text) {
      return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
  }
}
