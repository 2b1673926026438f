/** The AWS provider, found at run time; the SDK is loaded only when it is used. */
@NullMarked
package io.elastune.provisioner.aws;

import org.jspecify.annotations.NullMarked;
