/**
 * An AWS account as the rest of the module sees it: settings, places, and the calls used, without
 * any type of the SDK.
 */
@NullMarked
package io.elastune.provisioner.aws.account;

import org.jspecify.annotations.NullMarked;
