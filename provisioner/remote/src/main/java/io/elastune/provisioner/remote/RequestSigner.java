package io.elastune.provisioner.remote;

import java.net.URI;
import java.time.Duration;
import java.util.SortedMap;

/** Signs requests to one bucket by parameters in the query of their URL. */
public interface RequestSigner {
  /**
   * Returns the URL of a request.
   *
   * @param name the object's name; empty for the bucket
   * @param query parameters before encoding
   */
  URI sign(String method, String name, SortedMap<String, String> query, Duration validity);
}
