package io.elastune.provisioner;

import java.time.InstantSource;

/**
 * Opens the buckets of one cloud. Implementations are discovered with {@link
 * java.util.ServiceLoader}, so that the cloud's libraries are loaded only when used.
 */
public interface ObjectStoreProvider {
  /** Returns the scheme of the URLs of its buckets, such as {@code s3}. */
  String scheme();

  /**
   * Opens a bucket with the user's default credentials.
   *
   * @param time the controller's clock
   * @throws CloudException if there are no credentials or no such bucket
   */
  ObjectStore open(String bucket, InstantSource time);
}
