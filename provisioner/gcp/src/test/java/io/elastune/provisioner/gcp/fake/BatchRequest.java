package io.elastune.provisioner.gcp.fake;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Several HTTP requests in one multipart body. */
record BatchRequest(List<Part> parts) {
  private static final String BOUNDARY = "batch_answers";
  static final String TYPE = "multipart/mixed; boundary=" + BOUNDARY;
  static final String END = "--" + BOUNDARY + "--\r\n";
  private static final Pattern REQUEST =
      Pattern.compile(
          "(?s).*?Content-ID: <([^>]*)>.*?\r?\n(GET|POST|DELETE) (\\S+?)(?:\\?(\\S*))? HTTP/1.1\r?\n"
              + "(.*?)(?:\r?\n\r?\n(.*))?",
          Pattern.CASE_INSENSITIVE);

  record Part(String id, String verb, String path, String query, String body) {}

  static BatchRequest read(String contentType, String body) {
    Matcher boundary = Pattern.compile("boundary=\"?([^\";]+)").matcher(contentType);
    if (!boundary.find()) {
      throw new IllegalArgumentException(contentType);
    }
    List<Part> parts = new ArrayList<>();
    for (String text : body.split(Pattern.quote("--" + boundary.group(1)), -1)) {
      Matcher request = REQUEST.matcher(text);
      if (request.matches()) {
        String query = request.group(4);
        String content = request.group(6);
        parts.add(
            new Part(
                request.group(1),
                request.group(2),
                request.group(3).replaceFirst("^https?://[^/]+", ""),
                query == null ? "" : query,
                content == null ? "" : content.strip()));
      }
    }
    return new BatchRequest(parts);
  }

  static String answer(Part part, int status, String json) {
    return "--%s\r\nContent-Type: application/http\r\nContent-ID: <response-%s>\r\n\r\nHTTP/1.1 %d X\r\nContent-Type: application/json; charset=UTF-8\r\nContent-Length: %d\r\n\r\n%s\r\n"
        .formatted(
            BOUNDARY,
            part.id(),
            status,
            json.getBytes(java.nio.charset.StandardCharsets.UTF_8).length,
            json);
  }
}
