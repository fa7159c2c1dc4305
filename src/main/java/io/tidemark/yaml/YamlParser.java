package io.tidemark.yaml;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;

/** One pass over a document. */
record YamlParser(String file, YAMLParser parser) {

  YamlNode value() throws IOException {
    var place = position();
    if (parser.isCurrentAlias()) {
      throw new Misread(place, "", "aliases (*name) are not supported; write the value out");
    }
    return switch (parser.currentToken()) {
      case START_OBJECT -> mapping(place);
      case START_ARRAY -> sequence(place);
      case VALUE_NULL -> new YamlNode.Scalar(place, null);
      default -> new YamlNode.Scalar(place, parser.getText());
    };
  }

  private YamlNode.Mapping mapping(FilePosition place) throws IOException {
    var members = new LinkedHashMap<String, YamlNode.Entry>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      var at = position();
      var key = parser.currentName();
      parser.nextToken();
      if (members.put(key, new YamlNode.Entry(at, value())) != null) {
        throw new Misread(at, key, "stands here twice");
      }
    }
    return new YamlNode.Mapping(place, members);
  }

  private YamlNode.Sequence sequence(FilePosition place) throws IOException {
    var items = new ArrayList<YamlNode>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      items.add(value());
    }
    return new YamlNode.Sequence(place, items);
  }

  private FilePosition position() {
    var at = ((JsonParser) parser).currentTokenLocation();
    return new FilePosition(file, at.getLineNr(), at.getColumnNr());
  }
}
