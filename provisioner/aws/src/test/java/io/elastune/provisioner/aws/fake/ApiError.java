package io.elastune.provisioner.aws.fake;

/** An answer that says no. */
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

  String xml() {
    return "<Response><Errors><Error>"
        + Xml.element("Code", code)
        + Xml.element("Message", String.valueOf(getMessage()))
        + "</Error></Errors><RequestID>fake</RequestID></Response>";
  }

  String json() {
    return "{\"__type\":\"" + code + "\",\"message\":\"" + getMessage() + "\"}";
  }
}
