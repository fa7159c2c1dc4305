package io.tidemark.receiver;

import java.time.Instant;
import java.util.List;

/** A message of a Discord webhook, without mentions and previews. */
public record Discord(Link link) implements Format {

  private static final int LONGEST = 2000;
  private static final int SUPPRESS_EMBEDS = 1 << 2;

  @Override
  public Post post(Notice notice, Instant now) {
    return Post.json(Json.object(
        "content", new Markdown().of(Story.of(notice, link), LONGEST),
        "allowed_mentions", Json.object("parse", List.of()),
        "flags", SUPPRESS_EMBEDS));
  }

  private record Markdown() implements Markup {

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
