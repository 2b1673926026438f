package io.elastune.provisioner.aws.account;

/** Looks up public facts about S3 buckets. */
public interface Buckets {
  /**
   * Returns the region of a bucket.
   *
   * @throws io.elastune.provisioner.CloudException with {@code Invalid} if the bucket does not
   *     exist
   */
  String regionOf(String name);
}
