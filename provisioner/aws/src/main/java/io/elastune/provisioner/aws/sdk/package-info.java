/** The only package that uses the AWS SDK; it is loaded only when AWS is called. */
@NullMarked
package io.elastune.provisioner.aws.sdk;

import org.jspecify.annotations.NullMarked;
