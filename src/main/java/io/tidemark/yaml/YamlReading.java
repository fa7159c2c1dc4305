package io.tidemark.yaml;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;

/** One pass over a document. */
record YamlReading(String file, YAMLParser parser) {

  Yaml value() throws IOException {
    var place = place();
    if (parser.isCurrentAlias()) {
      throw new Misread(place, "", "aliases (*name) are not supported; write the value out");
    }
    return switch (parser.currentToken()) {
      case START_OBJECT -> tree(place);
      case START_ARRAY -> items(place);
      case VALUE_NULL -> new Yaml.Leaf(place, null);
      default -> new Yaml.Leaf(place, parser.getText());
    };
  }

  private Yaml.Tree tree(Place place) throws IOException {
    var members = new LinkedHashMap<String, Yaml.Member>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      var at = place();
      var key = parser.currentName();
      parser.nextToken();
      if (members.put(key, new Yaml.Member(at, value())) != null) {
        throw new Misread(at, key, "stands here twice");
      }
    }
    return new Yaml.Tree(place, members);
  }

  private Yaml.Items items(Place place) throws IOException {
    var items = new ArrayList<Yaml>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      items.add(value());
    }
    return new Yaml.Items(place, items);
  }

  private Place place() {
    var at = ((JsonParser) parser).currentTokenLocation();
    return new Place(file, at.getLineNr(), at.getColumnNr());
  }
}
