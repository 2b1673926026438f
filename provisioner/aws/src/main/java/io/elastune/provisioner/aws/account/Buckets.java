package io.elastune.provisioner.aws.account;

/** The buckets of S3, as far as anybody may know of them. */
public interface Buckets {
  /**
   * The region in which a bucket is.
   *
   * @throws io.elastune.provisioner.CloudException with {@code Invalid} if there is none of that
   *     name
   */
  String regionOf(String name);
}
