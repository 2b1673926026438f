package io.elastune.provisioner.gcp.sdk;

import com.google.api.core.ApiClock;
import com.google.auth.ServiceAccountSigner;
import com.google.auth.oauth2.GoogleCredentials;
import com.google.cloud.NoCredentials;
import com.google.cloud.storage.BlobId;
import com.google.cloud.storage.BlobInfo;
import com.google.cloud.storage.HttpMethod;
import com.google.cloud.storage.Storage;
import com.google.cloud.storage.Storage.SignUrlOption;
import com.google.cloud.storage.StorageOptions;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.remote.RequestSigner;
import java.net.URI;
import java.net.URL;
import java.time.Duration;
import java.time.InstantSource;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;

/**
 * Signs requests to one bucket of Google Cloud Storage with its library and a service account: by
 * its key, or by the IAM API ({@code signBlob}) if the credentials are those of a machine or
 * impersonated.
 *
 * @see <a href="https://cloud.google.com/storage/docs/authentication/signatures">V4 signatures</a>
 */
public final class GcsRequestSigner implements RequestSigner {
  private final URI endpoint;
  private final String bucket;
  private final ServiceAccountSigner account;
  private final Storage storage;

  GcsRequestSigner(URI endpoint, String bucket, ServiceAccountSigner account, InstantSource time) {
    this.endpoint = endpoint;
    this.bucket = bucket;
    this.account = account;
    storage =
        StorageOptions.newBuilder()
            .setProjectId("unused")
            .setCredentials(NoCredentials.getInstance())
            .setClock(clock(time))
            .build()
            .getService();
  }

  /**
   * Creates a signer with the application default credentials.
   *
   * @throws CloudException if there are none, or if they are those of a user, who cannot sign
   */
  public static GcsRequestSigner open(URI endpoint, String bucket, InstantSource time) {
    GoogleCredentials credentials = ClientConfig.defaultCredentials();
    if (credentials instanceof ServiceAccountSigner account) {
      return new GcsRequestSigner(endpoint, bucket, account, time);
    }
    throw new CloudException(
        new CloudFailure.Permission(
            "gs://"
                + bucket
                + " needs the credentials of a service account, which can sign URLs, and not those"
                + " of a user; set GOOGLE_APPLICATION_CREDENTIALS, or use 'gcloud auth"
                + " application-default login --impersonate-service-account=ACCOUNT'"));
  }

  @Override
  public URI sign(String method, String name, SortedMap<String, String> query, Duration validity) {
    String unused = accountName();
    try {
      URL url =
          storage.signUrl(
              BlobInfo.newBuilder(BlobId.of(bucket, name)).build(),
              validity.toSeconds(),
              TimeUnit.SECONDS,
              SignUrlOption.httpMethod(HttpMethod.valueOf(method)),
              SignUrlOption.withV4Signature(),
              SignUrlOption.withPathStyle(),
              SignUrlOption.withHostName("https://" + endpoint.getRawAuthority()),
              SignUrlOption.withQueryParams(query),
              SignUrlOption.signWith(account));
      // The library always writes https, and the scheme is not signed.
      return URI.create(endpoint.getScheme() + url.toString().substring("https".length()));
    } catch (ServiceAccountSigner.SigningException e) {
      throw new CloudException(
          new CloudFailure.Permission(
              "the credentials of "
                  + account.getAccount()
                  + " cannot sign URLs ("
                  + ExceptionMessages.firstLine(e)
                  + "); grant it the role roles/iam.serviceAccountTokenCreator on itself"),
          e);
    }
  }

  private static ApiClock clock(InstantSource time) {
    return new ApiClock() {
      @Override
      public long nanoTime() {
        return TimeUnit.MILLISECONDS.toNanos(time.millis());
      }

      @Override
      public long millisTime() {
        return time.millis();
      }
    };
  }

  /** The library asks the metadata server of this machine, and has no exception of its own. */
  private String accountName() {
    try {
      return account.getAccount();
    } catch (RuntimeException e) {
      throw new CloudException(
          new CloudFailure.Permission(
              "gs://"
                  + bucket
                  + " needs a service account, and the metadata server of this machine names none ("
                  + ExceptionMessages.firstLine(e)
                  + "); attach one to this machine, or set GOOGLE_APPLICATION_CREDENTIALS"),
          e);
    }
  }
}
