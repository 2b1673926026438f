package io.elastune.provisioner.gcp.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.auth.oauth2.GoogleCredentials;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.gcp.model.GcloudEnvironment;
import io.elastune.provisioner.gcp.model.ProjectApi;
import io.elastune.provisioner.gcp.testing.GcpTestEnvironment;
import io.elastune.provisioner.gcp.testing.TestCredentials;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests every form of application default credentials with a local token server. */
class CredentialFormsTest {
  private static final String VARIABLE = "GOOGLE_APPLICATION_CREDENTIALS";
  private static final String SECRET = "1//a-refresh-token-that-is-secret";

  @RegisterExtension private final GcpTestEnvironment world = new GcpTestEnvironment();
  @TempDir private Path folder;
  private FakeTokenServer tokens;

  @BeforeEach
  void open() throws IOException {
    tokens = new FakeTokenServer();
  }

  @AfterEach
  void close() {
    tokens.close();
    System.clearProperty("CLOUDSDK_CONFIG");
  }

  private String user() {
    return """
    {"type": "authorized_user", "client_id": "id.apps.googleusercontent.com",
     "client_secret": "GOCSPX-a-secret", "refresh_token": "%s", "token_uri": "%s/token",
     "quota_project_id": "my-project"}
    """
        .formatted(SECRET, tokens.url());
  }

  private String external(String source) {
    return """
    {"type": "external_account",
     "audience": "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/x",
     "subject_token_type": "urn:ietf:params:oauth:token-type:jwt",
     "token_url": "https://127.0.0.1:1/v1/token", "credential_source": %s}
    """
        .formatted(source);
  }

  private String impersonated() {
    return """
    {"type": "impersonated_service_account", "source_credentials": %s, "delegates": [],
     "service_account_impersonation_url": "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/runner@my-project.iam.gserviceaccount.com:generateAccessToken"}
    """
        .formatted(user());
  }

  @Test
  void userWithRefreshToken() throws IOException {
    use(user());
    assertThat(identity().project()).isEqualTo("my-project");
    assertThat(tokens.requests()).contains("/token");
  }

  /** A run continues after a login: it is not started again. */
  @Test
  void userLogsInAgain() throws IOException {
    use(user());
    GoogleCredentials credentials = ClientConfig.defaultCredentials();
    tokens.expire(SECRET);
    SdkCalls calls = new SdkCalls(new ClientConfig(credentials, "my-project", Optional.empty()));
    assertThatThrownBy(() -> calls.checkCredentials("compute.instances.list"))
        .isInstanceOfSatisfying(
            CloudException.class,
            e -> {
              assertThat(((CloudFailure.Permission) e.failure()).isLogin()).isTrue();
              assertThat(e.failure().message())
                  .contains("invalid_rapt", "gcloud auth application-default login");
            });

    use(user().replace(SECRET, "1//a-token-of-the-next-login"));
    calls.checkCredentials("compute.instances.list");
    assertThat(credentials.getQuotaProjectId()).isEqualTo("my-project");
  }

  @Test
  void fileWrittenByGcloud() throws IOException {
    System.clearProperty(VARIABLE);
    System.setProperty("CLOUDSDK_CONFIG", folder.toString());
    Path file = folder.resolve("application_default_credentials.json");
    Files.writeString(file, user());
    assertThat(identity().project()).isEqualTo("my-project");

    Files.writeString(file, "{");
    assertThat(failure()).contains(file + " (written by gcloud) cannot be used", "not valid JSON");
  }

  @Test
  void serviceAccountKey() {
    System.setProperty(VARIABLE, TestCredentials.write(folder).toString());
    assertThat(identity().principal()).isEqualTo("tester@my-project.iam.gserviceaccount.com");
  }

  @Test
  void serviceAccountWithInvalidKey() throws IOException {
    use(
        """
        {"type": "service_account", "project_id": "my-project", "private_key_id": "k1",
         "private_key": "%s", "client_email": "a@b.iam.gserviceaccount.com", "client_id": "1"}
        """
            .formatted(SECRET));
    assertThat(failure()).contains(VARIABLE, "cannot be used: Invalid PKCS#8 data");
  }

  @Test
  void expiredUserLogin() throws IOException {
    tokens.refuse(
        400,
        "{\"error\": \"invalid_grant\", \"error_description\": \"Token has been expired or"
            + " revoked.\"}");
    use(user());
    assertThat(failure())
        .contains("HTTP 400 invalid_grant: Token has been expired or revoked.")
        .endsWith("log in with 'gcloud auth application-default login'");
  }

  @Test
  void impersonationWithExpiredSource() throws IOException {
    tokens.refuse(400, "{\"error\": \"invalid_grant\", \"error_description\": \"Bad Request\"}");
    use(impersonated());
    assertThat(failure())
        .contains("HTTP 400 invalid_grant: Bad Request")
        .contains("roles/iam.serviceAccountTokenCreator");
  }

  @Test
  void workloadIdentityWithoutSubjectToken() throws IOException {
    use(external("{\"file\": \"/nowhere/subject-token\"}"));
    assertThat(failure())
        .contains("/nowhere/subject-token")
        .endsWith("check the workload identity pool and the source of its tokens");
  }

  @Test
  void workloadIdentityWithRefusedSubjectToken() throws IOException {
    tokens.refuse(403, "no role for this instance");
    use(external("{\"url\": \"" + tokens.url() + "/subject-token\"}"));
    assertThat(failure()).contains("HTTP 403").contains("workload identity pool");
    assertThat(tokens.requests()).contains("/subject-token");
  }

  @Test
  void missingMalformedAndUnknownFiles() throws IOException {
    System.setProperty(VARIABLE, "/nowhere/key.json");
    assertThat(failure())
        .contains("/nowhere/key.json (the value of " + VARIABLE + ") cannot be used")
        .contains("it does not exist");
    use(SECRET);
    assertThat(failure()).contains("it is not valid JSON");
    use("{\"refresh_token\": \"" + SECRET + "\"}");
    assertThat(failure()).contains("it has no field \"type\"");
    use("{\"type\": \"another\", \"refresh_token\": \"" + SECRET + "\"}");
    assertThat(failure()).contains("'type' value 'another' not recognized");
    use("{\"type\": \"authorized_user\", \"refresh_token\": \"" + SECRET + "\"}");
    assertThat(failure()).contains("expecting 'client_id', 'client_secret' and 'refresh_token'");
  }

  @Test
  void metadataServer() throws Exception {
    assertThat(probe()).isEqualTo("application default credentials, project metadata-project");
    assertThat(tokens.requests()).anyMatch(path -> path.endsWith("/default/token"));

    tokens.refuse(404, "not found");
    assertThat(probe())
        .contains("Error code 404 trying to get security access token from Compute Engine metadata")
        .contains("attach a service account with the scope cloud-platform to this instance");
  }

  @Test
  void noCredentialsAtAll() throws Exception {
    tokens.close();
    assertThat(probe())
        .contains("no Google credentials found")
        .contains("application_default_credentials.json does not exist")
        .contains("no metadata server answers");
  }

  private void use(String json) throws IOException {
    Path file = folder.resolve("credentials.json");
    Files.writeString(file, json);
    System.setProperty(VARIABLE, file.toString());
  }

  private ProjectApi.Identity identity() {
    try (SdkProjectApi api = new SdkProjectApi(Optional.empty(), GcpTestEnvironment.TIME)) {
      return api.identity();
    }
  }

  /** Returns the message, which never contains a secret. */
  /** Also without the launcher, which gives Java the same home. */
  @Test
  void credentialsOfGcloudAreInTheHomeOfTheVariable() {
    System.clearProperty("CLOUDSDK_CONFIG");
    System.setProperty("HOME", folder.toString());
    try {
      assertThat(GcloudEnvironment.defaultFile())
          .isEqualTo(folder.resolve(".config/gcloud/application_default_credentials.json"));
    } finally {
      System.clearProperty("HOME");
    }
  }

  private String failure() {
    CloudFailure failure = catchThrowableOfType(CloudException.class, this::identity).failure();
    assertThat(failure).isInstanceOf(CloudFailure.Permission.class);
    assertThat(failure.message()).doesNotContain(SECRET, "GOCSPX-a-secret");
    return failure.message();
  }

  /** Runs a process, because the library reads the metadata server's address from a variable. */
  private String probe() throws IOException, InterruptedException {
    Path out = folder.resolve("out.txt");
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            CredentialProbe.class.getName());
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("GOOGLE") || name.startsWith("CLOUDSDK"));
    environment.put("CLOUDSDK_CONFIG", folder.resolve("none").toString());
    environment.put("HOME", folder.resolve("none").toString());
    environment.put("GCE_METADATA_HOST", tokens.authority());
    environment.put("CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE", world.fake().url());
    int exit =
        builder
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .redirectOutput(out.toFile())
            .start()
            .waitFor();
    String text = Files.readString(out, StandardCharsets.UTF_8).strip();
    assertThat(exit).as(text).isZero();
    return text;
  }
}
