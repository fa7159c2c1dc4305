package io.tidemark.receiver;

import java.time.Instant;

/** A message of a Telegram bot: {@code https://api.telegram.org/bot<token>/sendMessage}, in HTML, without previews. */
public record Telegram(String chat, Link link) implements Format {

  private static final int LONGEST = 4096;

  @Override
  public Post post(Notice notice, Instant now) {
    return Post.json(Json.object(
        "chat_id", chat,
        "text", new Html().of(Story.of(notice, link), LONGEST),
        "parse_mode", "HTML",
        "link_preview_options", Json.object("is_disabled", true)));
  }

  private record Html() implements Markup {

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
