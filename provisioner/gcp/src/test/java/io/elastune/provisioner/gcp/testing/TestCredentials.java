package io.elastune.provisioner.gcp.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.util.Base64;

/**
 * Application default credentials of a fictitious service account. Its own key signs tokens, so
 * that no token server is needed.
 */
public final class TestCredentials {
  private static final KeyPair PAIR = pair();

  private TestCredentials() {}

  /** The account's name. */
  public static final String ACCOUNT = "tester@my-project.iam.gserviceaccount.com";

  /** Returns the key that verifies the account's signatures. */
  public static PublicKey publicKey() {
    return PAIR.getPublic();
  }

  private static KeyPair pair() {
    try {
      KeyPairGenerator pairs = KeyPairGenerator.getInstance("RSA");
      pairs.initialize(2048);
      return pairs.generateKeyPair();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has RSA", e);
    }
  }

  /** Writes a file for {@code GOOGLE_APPLICATION_CREDENTIALS}. */
  public static Path write(Path folder) {
    String key =
        Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(PAIR.getPrivate().getEncoded());
    String pem = "-----BEGIN " + "PRIVATE KEY-----\n" + key + "\n-----END " + "PRIVATE KEY-----\n";
    String json =
        """
        {"type": "service_account", "project_id": "my-project", "private_key_id": "k1",
         "private_key": "%s", "client_email": "tester@my-project.iam.gserviceaccount.com",
         "client_id": "1", "token_uri": "http://127.0.0.1:9/token"}
        """
            .formatted(pem.replace("\n", "\\n"));
    try {
      return Files.writeString(folder.resolve("credentials.json"), json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
