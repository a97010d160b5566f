/** Whether the separate verifier accepts the result that is shown, which may be changed to see it rejected. */
import { Alert, Badge, Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { messageOf } from "../api/problem.ts";
import { becomesReady, findVerifier, verifyProof } from "../services/verify-proof.ts";

interface VerificationProps {
  /** Of the verifier. */
  readonly image: string;
  /** Of the proof: its input is shown to no other. */
  readonly teamId: string;
  readonly input: string;
  readonly result: string;
}

export function Verification({ image, teamId, input, result }: VerificationProps) {
  const [shown, setShown] = useState(result);
  const leaving = useRef(new AbortController());
  const { mutate, data, error, isPending, reset } = useMutation({
    mutationFn: async (proof: string) => {
      const verifierId = await findVerifier(image, teamId);
      await becomesReady(verifierId, leaving.current.signal);
      return verifyProof(verifierId, input, proof);
    },
  });
  useEffect(() => {
    leaving.current = new AbortController();
    return () => leaving.current.abort(new Error("The page was left."));
  }, []);
  useEffect(() => {
    setShown(result);
    mutate(result);
  }, [result, mutate]);
  return (
    <Stack>
      <Textarea
        label="Result"
        autosize
        minRows={3}
        maxRows={10}
        value={shown}
        onChange={(event) => {
          reset();
          setShown(event.currentTarget.value);
        }}
      />
      <Group aria-live="polite">
        <Button variant="default" loading={isPending} onClick={() => mutate(shown)}>
          Verify
        </Button>
        {data !== undefined && (
          <Badge color={data.valid ? "green" : "red"} size="lg">
            {data.valid ? "Verified" : "Not verified"}
          </Badge>
        )}
      </Group>
      {data?.valid === false && data.message !== null && <Text>{data.message}</Text>}
      {error !== null && (
        <Alert color="red" role="alert">
          {messageOf(error)}
        </Alert>
      )}
      <Text c="dimmed" size="sm">
        Checked by {image}, a separate program, on the text above. It runs with development parameters unless an
        operator set others: proofs made with those can be forged by anybody.
      </Text>
    </Stack>
  );
}
