package io.tidemark.receiver;

import java.time.Instant;

/** A message of a Slack incoming webhook, without previews. */
public record Slack(Link link) implements Format {

  private static final int LONGEST = 3900;

  @Override
  public Post post(Notice notice, Instant now) {
    return Post.json(Json.object(
        "text", new Mrkdwn().of(Story.of(notice, link), LONGEST), "unfurl_links", false, "unfurl_media", false));
  }

  private record Mrkdwn() implements Markup {

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
