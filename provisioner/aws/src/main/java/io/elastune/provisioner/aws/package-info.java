/** AWS as a cloud: found at run time; nothing of the SDK is loaded before it is needed. */
@NullMarked
package io.elastune.provisioner.aws;

import org.jspecify.annotations.NullMarked;
