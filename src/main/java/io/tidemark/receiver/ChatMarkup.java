package io.tidemark.receiver;

/** How a chat writes; each method takes text of any origin and escapes it. */
interface ChatMarkup {

  String bold(String text);

  /** As it stands: nothing in it is a link, a mention or markup. */
  String code(String text);

  /** @param url without spaces or control characters */
  String link(String url);

  /** A story, cut after the last line that fits. */
  default String render(NotificationContent content, int longest) {
    var text = new StringBuilder(bold(content.title())).append('\n').append(code(content.summary()));
    var link = content.link() == null ? "" : "\n" + link(content.link());
    for (var fact : content.facts()) {
      var line = "\n" + code(fact.name() + ": " + fact.value());
      if (text.length() + line.length() + link.length() > longest) {
        break;
      }
      text.append(line);
    }
    return text.append(link).toString();
  }
}
