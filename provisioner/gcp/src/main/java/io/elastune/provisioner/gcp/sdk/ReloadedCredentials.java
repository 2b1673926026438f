package io.elastune.provisioner.gcp.sdk;

import com.google.auth.oauth2.AccessToken;
import com.google.auth.oauth2.GoogleCredentials;
import io.elastune.provisioner.CloudException;
import java.io.IOException;
import java.util.function.Supplier;

/**
 * The credentials of a user, which come from a file that each login writes again. If no token can
 * be obtained with them, such as after a login has expired, it is obtained with those of a later
 * login.
 */
final class ReloadedCredentials extends GoogleCredentials {
  private static final long serialVersionUID = 1;

  private final transient Supplier<GoogleCredentials> source;
  private transient volatile GoogleCredentials current;

  /** {@code source} reads the credentials of the latest login. */
  ReloadedCredentials(GoogleCredentials current, Supplier<GoogleCredentials> source) {
    super(GoogleCredentials.newBuilder().setQuotaProjectId(current.getQuotaProjectId()));
    this.source = source;
    this.current = current;
  }

  @Override
  public AccessToken refreshAccessToken() throws IOException {
    try {
      return current.refreshAccessToken();
    } catch (IOException e) {
      GoogleCredentials latest = latest(e);
      if (latest.equals(current)) {
        throw e;
      }
      AccessToken token = latest.refreshAccessToken();
      current = latest;
      return token;
    }
  }

  private GoogleCredentials latest(IOException cause) throws IOException {
    try {
      return source.get();
    } catch (CloudException e) {
      cause.addSuppressed(e);
      throw cause; // the file is missing or malformed, such as during a login
    }
  }
}
