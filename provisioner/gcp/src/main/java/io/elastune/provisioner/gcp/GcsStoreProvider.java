package io.elastune.provisioner.gcp;

import io.elastune.provisioner.ObjectStore;
import io.elastune.provisioner.ObjectStoreProvider;
import io.elastune.provisioner.gcp.model.GcloudEnvironment;
import io.elastune.provisioner.gcp.sdk.GcsRequestSigner;
import io.elastune.provisioner.remote.XmlObjectStore;
import java.net.URI;
import java.time.InstantSource;

/** Opens buckets of Google Cloud Storage. */
public final class GcsStoreProvider implements ObjectStoreProvider {
  private static final String ENDPOINT = "CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE";
  private static final URI STANDARD = URI.create("https://storage.googleapis.com");

  @Override
  public String scheme() {
    return "gs";
  }

  @Override
  public ObjectStore open(String bucket, InstantSource time) {
    URI endpoint =
        GcloudEnvironment.get(ENDPOINT).map(url -> URI.create(url).resolve("/")).orElse(STANDARD);
    return new XmlObjectStore(
        "gs://" + bucket,
        GcsRequestSigner.open(endpoint, bucket, time),
        XmlObjectStore.URL_VALIDITY);
  }
}
