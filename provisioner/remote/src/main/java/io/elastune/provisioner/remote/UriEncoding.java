package io.elastune.provisioner.remote;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Encodes the parts of URLs as the signatures of AWS and Google require it (RFC 3986). */
public final class UriEncoding {
  private UriEncoding() {}

  /** Encodes everything except letters, digits and {@code -._~}. */
  public static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8)
        .replace("+", "%20")
        .replace("*", "%2A")
        .replace("%7E", "~");
  }

  /** Encodes a path: the same, except for {@code /}. */
  public static String encodePath(String path) {
    return encode(path).replace("%2F", "/");
  }
}
