package io.elastune.provisioner.aws.model;

/** Looks up public facts about S3 buckets. */
public interface BucketLookup {
  /**
   * Returns the region of a bucket.
   *
   * @throws io.elastune.provisioner.CloudException with {@code Invalid} if the bucket does not
   *     exist
   */
  String regionOf(String name);
}
