package io.elastune.provisioner.aws;

import io.elastune.provisioner.ObjectStore;
import io.elastune.provisioner.ObjectStoreProvider;
import io.elastune.provisioner.aws.sdk.S3RequestSigner;
import io.elastune.provisioner.aws.sdk.SdkAccountApi;
import io.elastune.provisioner.remote.XmlObjectStore;
import java.time.InstantSource;

/** Opens buckets of Amazon S3, or of the service at {@code AWS_ENDPOINT_URL}. */
public final class S3StoreProvider implements ObjectStoreProvider {
  @Override
  public String scheme() {
    return "s3";
  }

  @Override
  public ObjectStore open(String bucket, InstantSource time) {
    return new XmlObjectStore(
        "s3://" + bucket,
        S3RequestSigner.open(bucket, SdkAccountApi.defaultRegion(), time),
        XmlObjectStore.URL_VALIDITY);
  }
}
