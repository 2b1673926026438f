package io.elastune.provisioner.gcp.sdk;

import com.google.auth.ServiceAccountSigner;
import com.google.auth.oauth2.GoogleCredentials;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.remote.RequestSigner;
import io.elastune.provisioner.remote.UriEncoding;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Signs requests to one bucket of Google Cloud Storage with a service account: by its key, or by
 * the IAM API ({@code signBlob}) if the credentials are those of a machine or impersonated.
 *
 * @see <a href="https://cloud.google.com/storage/docs/authentication/signatures">V4 signatures</a>
 */
public final class GcsRequestSigner implements RequestSigner {
  private static final String ALGORITHM = "GOOG4-RSA-SHA256";
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
  private static final int DATE = 8;

  private final URI endpoint;
  private final String bucket;
  private final ServiceAccountSigner account;
  private final InstantSource time;

  GcsRequestSigner(URI endpoint, String bucket, ServiceAccountSigner account, InstantSource time) {
    this.endpoint = endpoint;
    this.bucket = bucket;
    this.account = account;
    this.time = time;
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
    String now = TIME.format(time.instant());
    String scope = now.substring(0, DATE) + "/auto/storage/goog4_request";
    SortedMap<String, String> all = new TreeMap<>(query);
    all.put("X-Goog-Algorithm", ALGORITHM);
    all.put("X-Goog-Credential", accountName() + "/" + scope);
    all.put("X-Goog-Date", now);
    all.put("X-Goog-Expires", Long.toString(validity.toSeconds()));
    all.put("X-Goog-SignedHeaders", "host");
    String path = UriEncoding.encodePath("/" + bucket + (name.isEmpty() ? "" : "/" + name));
    String parameters =
        all.entrySet().stream()
            .map(e -> UriEncoding.encode(e.getKey()) + "=" + UriEncoding.encode(e.getValue()))
            .collect(Collectors.joining("&"));
    String host = endpoint.getRawAuthority();
    String request =
        String.join("\n", method, path, parameters, "host:" + host, "", "host", UNSIGNED_PAYLOAD);
    String text = String.join("\n", ALGORITHM, now, scope, sha256(request));
    String signature = HexFormat.of().formatHex(signed(text));
    return URI.create(
        endpoint.getScheme()
            + "://"
            + host
            + path
            + "?"
            + parameters
            + "&X-Goog-Signature="
            + signature);
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

  private byte[] signed(String text) {
    try {
      return account.sign(text.getBytes(StandardCharsets.UTF_8));
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

  private static String sha256(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
