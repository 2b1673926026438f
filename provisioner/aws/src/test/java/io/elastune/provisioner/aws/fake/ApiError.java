package io.elastune.provisioner.aws.fake;

/** An error response of the fake. */
final class ApiError extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int status;
  private final String code;

  ApiError(int status, String code, String message) {
    super(message);
    this.status = status;
    this.code = code;
  }

  int status() {
    return status;
  }

  String code() {
    return code;
  }

  /** EC2 wraps its errors differently from newer services. */
  String xml(String action) {
    String error =
        Xml.nested(
            "Error",
            Xml.element("Code", code) + Xml.element("Message", String.valueOf(getMessage())));
    return action.equals("GetCallerIdentity")
        ? Xml.nested("ErrorResponse", error)
        : Xml.nested("Response", Xml.nested("Errors", error) + Xml.element("RequestID", "fake"));
  }

  String json() {
    return "{\"__type\":\"" + code + "\",\"message\":\"" + getMessage() + "\"}";
  }
}
