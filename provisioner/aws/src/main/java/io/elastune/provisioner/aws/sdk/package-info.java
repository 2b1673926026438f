/** All use of the AWS SDK, which is loaded only when AWS is called. */
@NullMarked
package io.elastune.provisioner.aws.sdk;

import org.jspecify.annotations.NullMarked;
