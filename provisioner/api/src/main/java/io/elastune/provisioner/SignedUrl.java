package io.elastune.provisioner;

import java.net.URI;

/**
 * A URL with which any process may make one call of a bucket until it expires, without credentials.
 * It is a secret: it must not appear in logs, journals and files.
 */
public record SignedUrl(URI uri) {
  /** Returns the URL without its query, which contains the signature. */
  @Override
  public String toString() {
    return uri.getScheme() + "://" + uri.getRawAuthority() + uri.getRawPath() + "?…";
  }
}
