package io.tidemark.receiver;

/** How a chat writes; each method takes text of any origin and escapes it. */
interface Markup {

  String bold(String text);

  /** As it stands: nothing in it is a link, a mention or markup. */
  String code(String text);

  /** @param url without spaces or control characters */
  String link(String url);

  /** A story, cut after the last line that fits. */
  default String of(Story story, int longest) {
    var text = new StringBuilder(bold(story.head())).append('\n').append(code(story.words()));
    var link = story.link() == null ? "" : "\n" + link(story.link());
    for (var fact : story.facts()) {
      var line = "\n" + code(fact.name() + ": " + fact.value());
      if (text.length() + line.length() + link.length() > longest) {
        break;
      }
      text.append(line);
    }
    return text.append(link).toString();
  }
}
